/* One insertion into a binary heap that holds n - 1 keys; only that insertion is measured.
 * Worst: a key smaller than all others, which rises through floor(log2 n) levels. */
#include "slowpath.h"

enum { MOST = 16384 };

static int heap[MOST];
static int size;

static void push(int key) {
    int at = size++;
    while (at > 0) {
        int parent = (at - 1) / 2;
        if (heap[parent] <= key)
            break;
        heap[at] = heap[parent];
        at = parent;
    }
    heap[at] = key;
}

void heap_push(int n) {
    int keys[MOST];
    slowpath_i32_array(keys, n, "keys");
    for (int i = 0; i < n - 1; i++)
        push(keys[i]);
    slowpath_begin();
    push(keys[n - 1]);
    slowpath_end();
}
