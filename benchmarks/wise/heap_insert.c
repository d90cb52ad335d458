/* Insertion into a binary heap, as the priority queue of JDK 1.5 does it; from the WISE suite.
 * n: the number of unknown keys, inserted one after the other, the smallest on top. Slots are numbered from 1.
 *
 * Worst: falling keys. Every key is smaller than all before it and rises from its leaf to the top, floor(log2 k) steps for
 * the k-th.
 *
 * Paths: the k-th key can stop at any of floor(log2 k) + 1 levels, whatever happened before, so the product of that over k =
 * 1..n: 1, 2, 4, 12, 36, ... 20736 at 10. The same as the table.
 *
 * Measured: all n insertions. The paper says it measures the last one, and its `average` row does; but its `longest` row (7,
 * 13, 20, 29, 38, ... 339 at 30) is the sum of all n, including the loop that makes them. Ours, 1 + the sum of 5 + 2
 * floor(log2 k), is equal to it at every size but n = 1, where the table has 7 and we have 6. The three tests before the
 * loop (no key, no room, no comparator) are in the JDK's code and are kept so that the counts agree.
 * Keys are compared with <= and not by the sign of a difference as there, because a difference can overflow. */
enum { MOST = 2048 };

typedef int comparator(int left, int right);

static int queue[MOST + 1];
static int size;
static comparator *order;

static void exchange(int i, int j) {
    int kept = queue[i];
    queue[i] = queue[j];
    queue[j] = kept;
}

static void rise(int at) {
    if (order == 0) {
        while (at > 1) {
            if (queue[at >> 1] <= queue[at])
                break;
            exchange(at >> 1, at);
            at >>= 1;
        }
    } else {
        while (at > 1) {
            if (order(queue[at >> 1], queue[at]) <= 0)
                break;
            exchange(at >> 1, at);
            at >>= 1;
        }
    }
}

static int offer(const int *key) {
    if (key == 0)
        return 0;
    size++;
    if (size > MOST)
        return 0;
    queue[size] = *key;
    rise(size);
    return 1;
}

int heap_insert(const int *keys, int n) {
    size = 0;
    for (int i = 0; i < n; i++)
        offer(&keys[i]);
    return size;
}
