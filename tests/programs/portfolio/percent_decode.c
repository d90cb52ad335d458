/* Decodes %41 and the like in place, and moves all that follows for each: n^2. Worst: nothing but codes. */
#include <stdint.h>

static int digit(uint8_t c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return -1;
}

int percent_decode(uint8_t *s, int n) {
    for (int i = 0; i + 2 < n; i++) {
        if (s[i] != '%')
            continue;
        int high = digit(s[i + 1]), low = digit(s[i + 2]);
        if (high < 0 || low < 0)
            continue;
        s[i] = (uint8_t)(high * 16 + low);
        for (int k = i + 3; k < n; k++)
            s[k - 2] = s[k];
        n -= 2;
    }
    return n;
}
