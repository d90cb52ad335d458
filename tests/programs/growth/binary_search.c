/* Finds a key in an array taken for sorted by halving an interval: log n. Worst: a key that is never met. */
#include <stdint.h>

int binary_search(const int32_t *a, int n, int32_t key) {
    int low = 0, high = n;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (a[middle] == key)
            return middle;
        if (a[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return -1;
}
