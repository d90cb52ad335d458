/* Adds up how every two numbers differ: n^2, the same for every input. */
#include <stdint.h>

int all_pairs(const int32_t *a, int n) {
    int32_t mixed = 0;
    for (int i = 0; i < n; i++)
        for (int k = i + 1; k < n; k++)
            mixed += a[i] ^ a[k];
    return mixed;
}
