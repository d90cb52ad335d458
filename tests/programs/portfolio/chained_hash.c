/* A hash table of 64 chains that looks for each key before it takes it: n^2. Worst: different keys, all in one chain. */
#include <stdint.h>

#define MOST 8192
static uint32_t key[MOST];
static int16_t next[MOST];

int chained_hash(const uint32_t *a, int n) {
    int16_t first[64];
    int used = 0, steps = 0;
    for (int i = 0; i < 64; i++)
        first[i] = -1;
    for (int i = 0; i < n && used < MOST; i++) {
        uint32_t hash = a[i];
        hash = (hash ^ hash >> 9) * 37u;
        uint32_t slot = (hash ^ hash >> 15) & 63;
        int at = first[slot];
        for (; at >= 0 && key[at] != a[i]; at = next[at])
            steps++;
        if (at >= 0)
            continue;
        key[used] = a[i];
        next[used] = first[slot];
        first[slot] = (int16_t)used++;
    }
    return steps;
}
