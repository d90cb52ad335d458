/* Takes the steps of a stair by threes, in two ways where a step is wet: 2^(n/3), that is 1.26^n. Worst: every third is wet. */
#include <stdint.h>

static int ways(const uint8_t *wet, int at, int n) {
    if (at >= n)
        return 1;
    int found = ways(wet, at + 3, n);
    if (wet[at])
        found += ways(wet, at + 3, n);
    return found;
}

int jumps_of_three(const uint8_t *wet, int n) {
    return ways(wet, 0, n);
}
