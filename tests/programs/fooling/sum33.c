/* A tank that is filled and, from 33 on, checked in proportion to what is in it at each step: n^2. Worst: all 3. */
#include <stdint.h>

int sum33(const uint8_t *a, int n) {
    int sum = 0, work = 0;
    for (int i = 0; i < n; i++) {
        sum += a[i];
        if (a[i] == 0)
            for (int k = 0; k < 9; k++)
                work += k;
        if (sum >= 33)
            for (int k = 0; k < sum; k++)
                work ^= k;
    }
    return work;
}
