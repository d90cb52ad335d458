/* Merging two sorted arrays, from the XSTRESSOR suite.
 * n: the length of each of the two (at most 1,048,576). All elements are unknown 32-bit integers; that each array rises is
 * assumed, not decided.
 *
 * Counted: comparisons between the two arrays.
 * Worst: neither runs out before the other has only one element left: 2n - 1 comparisons. Arrays whose elements alternate
 * do it, and so does every other interleaving that ends with one of each: there are many worst paths, and the
 * comparison has to go both ways on all of them.
 *
 * Paths: 2n over n, the interleavings; of equal elements the second array's go first. */
#include "slowpath.h"

enum { MOST = 1 << 20 };

static int32_t first[MOST], second[MOST], merged[2 * MOST];

static void assume_sorted(const int32_t *array, int n) {
    for (int i = 0; i + 1 < n; i++)
        slowpath_assume(array[i] <= array[i + 1]);
}

void merge_sorted_arrays(int n) {
    slowpath_i32_array(first, n, "first");
    slowpath_i32_array(second, n, "second");
    assume_sorted(first, n);
    assume_sorted(second, n);

    int i = 0, j = 0, to = 0;
    while (i < n && j < n) {
        if (first[i] < second[j]) /* counted */
            merged[to++] = first[i++];
        else
            merged[to++] = second[j++];
    }
    while (i < n)
        merged[to++] = first[i++];
    while (j < n)
        merged[to++] = second[j++];
}
