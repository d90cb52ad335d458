/* Counts the characters of UTF-8 text up to the first mistake: n. Worst: no mistake, and the sequences that cost most. */
#include <stdint.h>

int utf8_check(const uint8_t *s, int n) {
    int count = 0, i = 0;
    while (i < n) {
        int more = 0;
        if (s[i] >= 0xc2 && s[i] < 0xe0)
            more = 1;
        else if (s[i] >= 0xe0 && s[i] < 0xf0)
            more = 2;
        else if (s[i] >= 0xf0 && s[i] < 0xf5)
            more = 3;
        else if (s[i] >= 0x80)
            return -i - 1;
        i++;
        for (; more > 0; more--, i++)
            if (i >= n || s[i] < 0x80 || s[i] >= 0xc0)
                return -i - 1;
        count++;
    }
    return count;
}
