/* For every two numbers, a binary search for the one that makes the sum zero: n^2 log n. Worst: it is never there. */
#include <stdint.h>

int three_sum(const int32_t *a, int n) {
    int found = 0;
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++) {
            int32_t wanted = (int32_t)(0u - (uint32_t)a[i] - (uint32_t)a[j]);
            int low = j + 1, high = n;
            while (low < high) {
                int middle = (low + high) / 2;
                if (a[middle] == wanted) {
                    found++;
                    break;
                }
                if (a[middle] < wanted)
                    low = middle + 1;
                else
                    high = middle;
            }
        }
    return found;
}
