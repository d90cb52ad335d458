/* The table of borders of Knuth, Morris and Pratt over two letters: n, amortised. Worst: blocks whose border falls far. */
#include <stdint.h>

#define MOST 65536
static int32_t border[MOST + 1];

int borders(const uint8_t *s, int n) {
    if (n > MOST)
        n = MOST;
    int length = 0;
    border[0] = 0;
    for (int i = 1; i < n; i++) {
        while (length > 0 && s[i] != s[length])
            length = border[length - 1];
        if (s[i] == s[length])
            length++;
        border[i] = length;
    }
    return length;
}
