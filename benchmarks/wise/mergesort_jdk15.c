/* The merge sort of JDK 1.5 for objects, from the WISE suite.
 * n: the length of the array. Every element is an unknown 32-bit integer; only comparisons are made.
 *
 * Below 7 elements it is an insertion sort. From 7 the halves of `to` are sorted into `from`; if the last of the left half
 * is not greater than the first of the right, both are copied back, else merged back.
 *
 * Worst: the insertion sorts find their part falling, and no merge runs out of one half before the last element of all,
 * which comes from the right half. Merges that alternate between the halves do it; so does every other interleaving that
 * ends left, right. Since the comparison in the merge must go both ways, no policy without memory singles such a path out.
 *
 * Paths: n! (1, 2, 6, 24, 120, ... 3628800 at 10), one for each order; equal elements keep theirs. The same as the table.
 * The `longest` row (4, 8, 14, 22, 32, ... 206 at 15) is our count of branches: W(n) = n*n + n + 2 below 7, and from there
 * W(n/2) + W(n - n/2) + 4n + 2.
 * The JDK copies arrays by library calls, which count no branches. The first copy is outside the measured part here; copying
 * two halves back is a loop, which no worst case enters. Keys are compared with <= and not by the sign of a difference as
 * there, because a difference can overflow. */
#include "slowpath.h"

enum { MOST = 2048, SMALL = 7 };

static int32_t a[MOST];
static int32_t copy_of_a[MOST];

static void swap(int *x, int i, int j) {
    int kept = x[i];
    x[i] = x[j];
    x[j] = kept;
}

/* Sorts [low, high) of `to`; `from` holds the same elements there when it begins, in the same order. */
static void merge_sort(int *from, int *to, int low, int high) {
    if (high - low < SMALL) {
        for (int i = low; i < high; i++)
            for (int j = i; j > low; j--) {
                if (to[j - 1] <= to[j])
                    break;
                swap(to, j, j - 1);
            }
        return;
    }

    int middle = (low + high) >> 1;
    merge_sort(to, from, low, middle);
    merge_sort(to, from, middle, high);

    if (from[middle - 1] <= from[middle]) {
        for (int i = low; i < high; i++)
            to[i] = from[i];
        return;
    }

    int left = low, right = middle;
    for (int i = low; i < high; i++) {
        if (right >= high || (left < middle && from[left] <= from[right]))
            to[i] = from[left++];
        else
            to[i] = from[right++];
    }
}

void mergesort_jdk15(int n) {
    slowpath_i32_array(a, n, "a");
    for (int i = 0; i < n; i++)
        copy_of_a[i] = a[i];
    slowpath_begin();
    merge_sort(copy_of_a, a, 0, n);
    slowpath_end();
}
