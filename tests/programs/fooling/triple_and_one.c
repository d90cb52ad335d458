/* Numbers each three times the last and one more: from 10 such in a row on, all are summed again each time: n^2, else n. */
#include <stdint.h>

uint32_t triple_and_one(const uint32_t *a, int n) {
    uint32_t work = 0;
    int row = 1;
    for (int i = 1; i < n; i++) {
        if (a[i] == 3 * a[i - 1] + 1) {
            row++;
        } else {
            row = 1;
            for (int k = 0; k < 5; k++)
                work += a[i] >> k;
        }
        if (row >= 10)
            for (int k = 0; k < row; k++)
                for (int r = 0; r < 5; r++)
                    work ^= a[i - k] + (uint32_t)r;
    }
    return work;
}
