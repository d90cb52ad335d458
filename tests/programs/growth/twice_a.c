/* Matches the pattern (a|a)*b at the start of a text by backtracking: 2^n. Worst: all letters are a, and no b comes. */
#include <stdint.h>

static int from(const char *s, int i, int n) {
    if (i == n)
        return 0;
    if (s[i] == 'a' && from(s, i + 1, n))
        return 1;
    if (s[i] == 'a' && from(s, i + 1, n))
        return 1;
    return s[i] == 'b';
}

int twice_a(const char *s, int n) {
    return from(s, 0, n);
}
