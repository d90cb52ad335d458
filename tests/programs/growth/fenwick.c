/* Sums of prefixes in a Fenwick tree, built and read by index: n log n for every input, with steps at powers of two. */
#include <stdint.h>

#define MOST (1 << 20)
static int32_t tree[MOST + 1];

int32_t fenwick(const int32_t *a, int n) {
    if (n > MOST)
        n = MOST;
    for (int i = 0; i <= n; i++)
        tree[i] = 0;
    for (int i = 1; i <= n; i++)
        for (int k = i; k <= n; k += k & -k)
            tree[k] += a[i - 1];
    int32_t mixed = 0;
    for (int i = 1; i <= n; i++)
        for (int k = i; k > 0; k -= k & -k)
            mixed ^= tree[k];
    return mixed;
}
