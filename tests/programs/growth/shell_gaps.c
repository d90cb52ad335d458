/* For gaps of n/2, n/4, ... 1, weighs every two places against the gap: n^2 log n for every input. */
#include <stdint.h>

uint32_t shell_gaps(const uint8_t *a, int n) {
    uint32_t sum = 0;
    for (int gap = n / 2; gap > 0; gap /= 2)
        for (int i = 0; i < n; i++)
            for (int k = 0; k < n; k++)
                sum = sum * 31u + (uint32_t)(a[i] ^ a[k] ^ gap);
    return sum;
}
