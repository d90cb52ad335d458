/* Heap sort in place: n log n. Only how far each sifting goes depends on the numbers. */
#include <stdint.h>

static void sift_down(int32_t *a, int at, int end) {
    for (int child = 2 * at + 1; child < end; child = 2 * at + 1) {
        if (child + 1 < end && a[child + 1] > a[child])
            child++;
        if (a[at] >= a[child])
            return;
        int32_t held = a[at];
        a[at] = a[child];
        a[child] = held;
        at = child;
    }
}

void heap_sort(int32_t *a, int n) {
    for (int i = n / 2 - 1; i >= 0; i--)
        sift_down(a, i, n);
    for (int end = n - 1; end > 0; end--) {
        int32_t top = a[0];
        a[0] = a[end];
        a[end] = top;
        sift_down(a, 0, end);
    }
}
