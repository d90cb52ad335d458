/* The longest rising subsequence by binary search among the piles: n log n. Worst: about rising, so that piles are many. */
#include <stdint.h>

#define MOST 65536
static int32_t top[MOST];

int patience(const int32_t *a, int n) {
    int piles = 0;
    for (int i = 0; i < n; i++) {
        int low = 0, high = piles;
        while (low < high) {
            int middle = (low + high) / 2;
            if (top[middle] < a[i])
                low = middle + 1;
            else
                high = middle;
        }
        if (low == MOST)
            return piles;
        top[low] = a[i];
        if (low == piles)
            piles++;
    }
    return piles;
}
