/* Tables of thousands of cells that inputs are the index of: buckets, flags, parents. */
#include <stdint.h>

#define BUCKETS 4096

/* Chains of keys by a product; steps along them. */
int buckets(const uint32_t *keys, int n) {
    static int first[BUCKETS], next[64];
    int steps = 0;
    for (int i = 0; i < BUCKETS; i++)
        first[i] = -1;
    for (int i = 0; i < n && i < 64; i++) {
        uint32_t bucket = keys[i] * 2654435769u >> 20;
        for (int at = first[bucket]; at >= 0; at = next[at])
            steps++;
        next[i] = first[bucket];
        first[bucket] = i;
    }
    return steps;
}

/* Flags of places that were visited before: what is visited again costs more. */
int visits(const uint16_t *places, int n) {
    static unsigned char visited[10000];
    int again = 0;
    for (int i = 0; i < n; i++) {
        if (visited[places[i] % 10000]) {
            for (int j = 0; j < 10; j++)
                again += j;
        }
        visited[places[i] % 10000] = 1;
    }
    return again;
}

/* Unions by parents, without compression: what is 0 is its own root. */
int unions(const uint16_t *pairs, int n) {
    static uint16_t parent[8192];
    int steps = 0;
    for (int i = 0; i < n; i++) {
        uint16_t a = pairs[2 * i] % 8192, b = pairs[2 * i + 1] % 8192;
        while (parent[a]) {
            a = parent[a] - 1;
            steps++;
        }
        while (parent[b]) {
            b = parent[b] - 1;
            steps++;
        }
        if (a != b)
            parent[a] = b + 1;
    }
    return steps;
}
