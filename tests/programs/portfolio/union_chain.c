/* Disjoint sets that hang the first root below the second and never shorten a path, over n pairs: n^2. Worst: the pairs make
   one chain, and its far end is asked for again and again. */
#include <stdint.h>

#define MOST 65535
static uint16_t parent[MOST];

static int root(int x) {
    while (parent[x] != x)
        x = parent[x];
    return x;
}

int union_chain(const uint16_t *a, const uint16_t *b, int n) {
    int sets = n < MOST ? n : MOST;
    for (int i = 0; i < sets; i++)
        parent[i] = (uint16_t)i;
    int left = sets;
    for (int i = 0; i < n; i++) {
        if (a[i] >= sets || b[i] >= sets)
            continue;
        int x = root(a[i]), y = root(b[i]);
        if (x != y) {
            parent[x] = (uint16_t)y;
            left--;
        }
    }
    return left;
}
