/* Nested lists of [ and ], with \ between: from depth 17 on, the path to each opening is written out: n^2. */
#include <stdint.h>

int depth17(const uint8_t *s, int n) {
    static uint8_t path[4096];
    int depth = 0, work = 0;
    for (int i = 0; i < n && depth < 4096; i++) {
        if (s[i] == '[') {
            path[depth++] = (uint8_t)i;
            if (depth >= 17)
                for (int k = 0; k < depth; k++)
                    work = work * 3 + path[k];
        } else if (s[i] == ']') {
            if (depth > 0)
                depth--;
        } else {
            for (int k = 0; k < 3; k++)
                work += k;
        }
    }
    return work;
}
