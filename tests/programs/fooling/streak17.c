/* A series of losses: from 17 in a row on, each one goes over the whole series: n^2. In short ones each turn costs more. */
#include <stdint.h>

int streak17(const int32_t *a, int n) {
    int losses = 0, work = 0;
    for (int i = 0; i < n; i++) {
        if (a[i] < 0) {
            losses++;
            if (losses >= 17)
                for (int k = i - losses + 1; k <= i; k++)
                    work += (a[k] & 7) + (a[k] & 3) * k;
        } else {
            if (losses > 0)
                for (int k = 0; k < 6; k++)
                    work += k;
            losses = 0;
        }
    }
    return work;
}
