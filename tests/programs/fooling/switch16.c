/* Sorts by insertion below 16 numbers, n^2, and by merging from there on, n log n: two laws, and two worst inputs. */
#include <stdint.h>

void switch16(int32_t *a, int n) {
    static int32_t spare[4096];
    if (n > 4096)
        n = 4096;
    for (int i = 1; i < n && n < 16; i++) {
        int32_t held = a[i];
        int k = i;
        for (; k > 0 && a[k - 1] > held; k--)
            a[k] = a[k - 1];
        a[k] = held;
    }
    for (int width = 1; width < n && n >= 16; width *= 2)
        for (int low = 0; low + width < n; low += 2 * width) {
            int middle = low + width, high = middle + width < n ? middle + width : n;
            int i = low, j = middle, to = low;
            while (i < middle && j < high)
                spare[to++] = a[i] <= a[j] ? a[i++] : a[j++];
            while (i < middle)
                a[--high] = a[--middle];
            for (int k = low; k < to; k++)
                a[k] = spare[k];
        }
}
