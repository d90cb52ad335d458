/* Quicksort with the median of first, middle and last for 17 numbers or more, insertion below: n^2, but hard to provoke. */
#include <stdint.h>

static void swap(int32_t *a, int i, int k) {
    int32_t held = a[i];
    a[i] = a[k];
    a[k] = held;
}

void median_of_three(int32_t *a, int n) {
    int low = 0, high = n;
    int stack[128], used = 0;
    for (;;) {
        while (high - low >= 17) {
            int middle = low + (high - low) / 2, end = low;
            if (a[middle] < a[low])
                swap(a, middle, low);
            if (a[high - 1] < a[low])
                swap(a, high - 1, low);
            if (a[high - 1] < a[middle])
                swap(a, high - 1, middle);
            swap(a, middle, high - 1);
            for (int i = low; i < high - 1; i++)
                if (a[i] < a[high - 1])
                    swap(a, i, end++);
            swap(a, end, high - 1);
            int left_is_larger = end - low > high - end - 1;
            stack[used++] = left_is_larger ? low : end + 1;
            stack[used++] = left_is_larger ? end : high;
            if (left_is_larger)
                low = end + 1;
            else
                high = end;
        }
        for (int i = low + 1; i < high; i++)
            for (int k = i; k > low && a[k - 1] > a[k]; k--)
                swap(a, k - 1, k);
        if (used == 0)
            return;
        high = stack[--used];
        low = stack[--used];
    }
}
