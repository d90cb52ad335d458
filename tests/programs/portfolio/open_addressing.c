/* A hash table with linear probing, at most half full: n^2. Worst: different keys that all want the same place. */
#include <stdint.h>

#define MOST 65536
static uint32_t table[MOST];

int open_addressing(const uint32_t *a, int n) {
    uint32_t size = 16;
    while (size < 2 * (uint32_t)n && size < MOST)
        size *= 2;
    for (uint32_t i = 0; i < size; i++)
        table[i] = 0;
    int probes = 0;
    for (int i = 0; i < n && (uint32_t)i < size / 2; i++) {
        if (a[i] == 0)
            continue;
        uint32_t at = (a[i] ^ a[i] >> 16) & (size - 1);
        while (table[at] != 0 && table[at] != a[i]) {
            at = (at + 1) & (size - 1);
            probes++;
        }
        table[at] = a[i];
    }
    return probes;
}
