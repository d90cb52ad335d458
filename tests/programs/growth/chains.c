/* A hash table of 32 chains that refuses keys it has: n^2. Worst: different keys, all in one chain. */
#include <stdint.h>

#define MOST 16384
static uint32_t key[MOST];
static int16_t next[MOST];

int chains(const uint32_t *a, int n) {
    int16_t first[32];
    int used = 0;
    for (int i = 0; i < 32; i++)
        first[i] = -1;
    for (int i = 0; i < n && used < MOST; i++) {
        uint32_t slot = (a[i] ^ a[i] >> 5) % 32;
        int at = first[slot];
        while (at >= 0 && key[at] != a[i])
            at = next[at];
        if (at >= 0)
            continue;
        key[used] = a[i];
        next[used] = first[slot];
        first[slot] = (int16_t)used++;
    }
    return used;
}
