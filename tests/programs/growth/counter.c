/* A binary counter, one bit to an entry, is increased n times: n, amortised, with a step at every power of two. */
#include <stdint.h>

int counter(int n) {
    static uint8_t bit[32];
    int flips = 0;
    for (int i = 0; i < 32; i++)
        bit[i] = 0;
    for (int i = 0; i < n; i++) {
        int k = 0;
        while (k < 31 && bit[k] == 1) {
            bit[k++] = 0;
            flips++;
        }
        bit[k] = 1;
        flips++;
    }
    return flips;
}
