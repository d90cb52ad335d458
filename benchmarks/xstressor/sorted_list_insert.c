/* Insertion into a sorted array, from the XSTRESSOR suite.
 * n: the number of elements before the insertion (at most 1,048,576). They and the one to insert are unknown 32-bit integers;
 * that the array rises is assumed, not decided.
 *
 * Counted: how often the new element is found to be greater than one of the array, so that the search goes on.
 * Worst: it is greater than all of them and comes last; n steps.
 *
 * Paths: n + 1, the places where it can go. The paper's model has the array 1, 2, 3, ... and only the new element unknown;
 * an array that is unknown but sorted gives the same paths. */
#include "slowpath.h"

enum { MOST = 1 << 20 };

static int32_t array[MOST + 1];

void sorted_list_insert(int n) {
    slowpath_i32_array(array, n, "array");
    for (int i = 0; i + 1 < n; i++)
        slowpath_assume(array[i] <= array[i + 1]);
    int32_t fresh = slowpath_i32("fresh");

    int place = 0;
    while (place < n) {
        if (fresh <= array[place])
            break;
        place++; /* counted */
    }
    for (int i = n; i > place; i--)
        array[i] = array[i - 1];
    array[place] = fresh;
}
