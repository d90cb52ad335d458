/* A protocol of three phases: 10 times a, then 10 times b, then every c has all so far summed: n^2. Nothing of it shows
   below 21 letters, where those out of turn cost most. */
#include <stdint.h>

int phases(const uint8_t *s, int n) {
    int as = 0, bs = 0, work = 0;
    for (int i = 0; i < n; i++) {
        if (as < 10 && s[i] == 'a')
            as++;
        else if (as == 10 && bs < 10 && s[i] == 'b')
            bs++;
        else if (bs == 10 && s[i] == 'c')
            for (int k = 0; k < 6 * i; k++)
                work += k;
        else
            for (int k = 0; k < 4; k++)
                work += s[i] ^ k;
    }
    return work;
}
