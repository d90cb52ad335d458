/* Coins of 1 to 9: once they make exactly 100, each further one is weighed against all: n^2. Missed once, it never is.
   Small coins cost more by themselves. Worst: as few coins as possible up to 100. */
#include <stdint.h>

int exact100(const uint8_t *coin, int n) {
    int sum = 0, hit = 0, work = 0;
    for (int i = 0; i < n; i++) {
        sum += coin[i];
        for (int k = coin[i]; k < 10; k++)
            work += k;
        if (sum == 100)
            hit = 1;
        if (hit)
            for (int k = 0; k < 12 * i; k++)
                work += k;
    }
    return work;
}
