/* Quicksort with the last element as pivot, deeper only into the smaller part: n^2. Worst: sorted already, for one. */
#include <stdint.h>

static void sort(int32_t *a, int low, int high) {
    while (low < high) {
        int32_t pivot = a[high];
        int border = low;
        for (int i = low; i < high; i++)
            if (a[i] < pivot) {
                int32_t held = a[i];
                a[i] = a[border];
                a[border++] = held;
            }
        a[high] = a[border];
        a[border] = pivot;
        if (border - low < high - border) {
            sort(a, low, border - 1);
            low = border + 1;
        } else {
            sort(a, border + 1, high);
            high = border - 1;
        }
    }
}

void quick_last(int32_t *a, int n) {
    sort(a, 0, n - 1);
}
