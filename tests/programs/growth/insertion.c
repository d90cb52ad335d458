/* Insertion sort: n^2. Worst: falling. */
#include <stdint.h>

void insertion(int32_t *a, int n) {
    for (int i = 1; i < n; i++) {
        int32_t held = a[i];
        int k = i;
        for (; k > 0 && a[k - 1] > held; k--)
            a[k] = a[k - 1];
        a[k] = held;
    }
}
