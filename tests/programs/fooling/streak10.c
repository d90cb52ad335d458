/* Codes runs of equal symbols; from the 10th on, each one more copies the run: n^2, but linear and worst for changes below. */
#include <stdint.h>

int streak10(const uint8_t *a, int n) {
    int run = 1, work = 0;
    for (int i = 1; i < n; i++) {
        if (a[i] == a[i - 1]) {
            run++;
        } else {
            run = 1;
            for (int k = 0; k < 4; k++)
                work += a[i] ^ k;
        }
        if (run >= 10)
            for (int k = 0; k < 8 * run; k++)
                work += k;
    }
    return work;
}
