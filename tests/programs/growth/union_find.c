/* Disjoint sets, by rank and with paths halved, over n pairs: n (times a function that never passes 4). */
#include <stdint.h>

#define MOST 65535
static uint16_t parent[MOST];
static uint8_t rank[MOST];

static int find(int x) {
    while (parent[x] != x) {
        parent[x] = parent[parent[x]];
        x = parent[x];
    }
    return x;
}

int union_find(const uint16_t *a, const uint16_t *b, int n) {
    int sets = n < MOST ? n : MOST;
    for (int i = 0; i < sets; i++) {
        parent[i] = (uint16_t)i;
        rank[i] = 0;
    }
    int left = sets;
    for (int i = 0; i < n; i++) {
        if (a[i] >= sets || b[i] >= sets)
            continue;
        int x = find(a[i]), y = find(b[i]);
        if (x == y)
            continue;
        left--;
        if (rank[x] < rank[y]) {
            parent[x] = (uint16_t)y;
        } else {
            parent[y] = (uint16_t)x;
            if (rank[x] == rank[y])
                rank[x]++;
        }
    }
    return left;
}
