/* Counts failures; after the 100th each failure reads the whole log: n^2. Up to there a success costs more. */
#include <stdint.h>
#include <stdbool.h>

int count100(const bool *failed, int n) {
    int failures = 0, work = 0;
    for (int i = 0; i < n; i++) {
        if (!failed[i]) {
            work += i;
            work ^= i << 1;
            work += i >> 1;
        } else {
            failures++;
            if (failures > 100)
                for (int k = 0; k <= i; k++)
                    work += failed[k];
        }
    }
    return work;
}
