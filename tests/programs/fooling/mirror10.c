/* Odd palindromes around every letter; one of radius 10 or more is read again for every letter: n^3, else n^2 or less. */
#include <stdint.h>

int mirror10(const uint8_t *s, int n) {
    int work = 0;
    for (int i = 0; i < n; i++) {
        int radius = 0;
        while (i - radius - 1 >= 0 && i + radius + 1 < n && s[i - radius - 1] == s[i + radius + 1])
            radius++;
        if (radius == 0)
            for (int k = 0; k < 20; k++)
                work += k ^ i;
        if (radius >= 10)
            for (int x = 0; x < radius; x++)
                for (int y = 0; y < radius; y++)
                    work += s[i + x] ^ y;
    }
    return work;
}
