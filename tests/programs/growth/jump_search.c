/* Goes over an array in strides of about the root of n, then over one stride in single steps: sqrt n.
   Worst: the key is above every mark but the last, and is not found in the last stride. */
#include <stdint.h>

int jump_search(const int32_t *a, int n, int32_t key) {
    int stride = 1;
    while (stride * stride < n)
        stride++;
    int start = 0;
    while (start + stride < n && a[start + stride] <= key)
        start += stride;
    int end = start + stride < n ? start + stride : n;
    for (int i = start; i < end; i++)
        if (a[i] == key)
            return i;
    return -1;
}
