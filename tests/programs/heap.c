/* Insertion into a binary heap, smallest on top. n keys are inserted one after the other, into an array heap.
 * Paths: the k-th key can stop at any of floor(log2 k) + 1 levels, so the product over k: 1, 2, 4, 12, 36, 108.
 * Worst: falling keys, each of which rises to the top. */
enum { MOST = 1024 };

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

int heap_insert(const int *keys, int n) {
    size = 0;
    for (int i = 0; i < n; i++)
        push(keys[i]);
    return size;
}
