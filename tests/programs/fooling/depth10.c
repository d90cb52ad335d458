/* Brackets: one that closes more than 10 open ones walks down all of them: n^2. Shallow ones cost most by mistakes. */
#include <stdint.h>

int depth10(const uint8_t *s, int n) {
    int depth = 0, work = 0;
    for (int i = 0; i < n; i++) {
        if (s[i] == '(') {
            depth++;
        } else if (depth == 0) {
            for (int k = 0; k < 7; k++)
                work += k ^ i;
        } else {
            if (depth > 10)
                for (int k = 0; k < 5 * depth; k++)
                    work += k;
            depth--;
        }
    }
    return work;
}
