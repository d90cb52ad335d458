/* Looks for the partner of every opening bracket from that bracket on: n^2. Worst: they open and none or few close. */
#include <stdint.h>

int partners(const uint8_t *s, int n) {
    int found = 0;
    for (int i = 0; i < n; i++) {
        if (s[i] != '(')
            continue;
        int depth = 1, k = i + 1;
        while (k < n && depth > 0) {
            if (s[k] == '(')
                depth++;
            else
                depth--;
            k++;
        }
        if (depth == 0)
            found++;
    }
    return found;
}
