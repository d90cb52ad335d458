/* Merge sort from the bottom up: n log n. Worst: halves that interleave to the last, on every level. */
#include <stdint.h>

#define MOST 65536
static int32_t spare[MOST];

void merge_sort(int32_t *a, int n) {
    if (n > MOST)
        n = MOST;
    for (int width = 1; width < n; width *= 2) {
        for (int low = 0; low + width < n; low += 2 * width) {
            int middle = low + width, high = middle + width < n ? middle + width : n;
            int i = low, j = middle;
            for (int k = low; i < middle && j < high; k++)
                spare[k] = a[i] <= a[j] ? a[i++] : a[j++];
            int from = i + j - middle;
            while (i < middle)
                a[--high] = a[--middle];
            for (int k = low; k < from; k++)
                a[k] = spare[k];
        }
    }
}
