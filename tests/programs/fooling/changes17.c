/* Counts changes of sign; from 17 on, each scans all numbers so far: n^2. Below, numbers of one sign cost more. */
#include <stdint.h>

int changes17(const int32_t *a, int n) {
    int changes = 0, work = 0;
    for (int i = 1; i < n; i++) {
        if ((a[i] < 0) == (a[i - 1] < 0)) {
            for (int k = 0; k < 5; k++)
                work += a[i] >> k;
        } else {
            changes++;
            if (changes >= 17)
                for (int k = 0; k < i; k++)
                    work += a[k] & 15;
        }
    }
    return work;
}
