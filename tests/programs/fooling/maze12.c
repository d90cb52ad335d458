/* A lock of 12 steps, each with a turn of its own; a wrong turn loses half of them. Once open, every turn rings: n^2.
   While it is closed, wrong turns cost more than right ones. */
#include <stdint.h>

int maze12(const uint8_t *turn, int n) {
    int step = 0, work = 0;
    for (int i = 0; i < n; i++) {
        if (step == 12) {
            for (int k = 0; k < 10 * i; k++)
                work += k;
        } else if (turn[i] == (step * 5 + step / 3) % 4) {
            step++;
        } else {
            step /= 2;
            for (int k = 0; k < 8; k++)
                work += k ^ turn[i];
        }
    }
    return work;
}
