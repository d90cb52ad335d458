/* Logs the first 100 warnings in full and counts the rest: n, but less steep after 100. Worst: 100 warnings, then none. */
#include <stdint.h>
#include <stdbool.h>

int quota100(const bool *warning, int n) {
    int logged = 0, dropped = 0, work = 0;
    for (int i = 0; i < n; i++) {
        if (!warning[i]) {
            for (int k = 0; k < 3; k++)
                work += i >> k;
        } else if (logged < 100) {
            logged++;
            for (int k = 0; k < 12; k++)
                work ^= i << k;
        } else {
            dropped++;
        }
    }
    return work + dropped;
}
