/* Counts the ways to read digits as letters 1 to 26, without a table: 1.62^n. Worst: every two digits make a letter. */
#include <stdint.h>

static int ways(const uint8_t *s, int n) {
    if (n == 0)
        return 1;
    if (s[0] == '0')
        return 0;
    int count = ways(s + 1, n - 1);
    if (n >= 2 && (s[0] - '0') * 10 + (s[1] - '0') <= 26)
        count += ways(s + 2, n - 2);
    return count;
}

int decodings(const uint8_t *s, int n) {
    return ways(s, n);
}
