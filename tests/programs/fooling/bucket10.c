/* A hash table of 64 chains; one of 10 or more keys is made a tree at every insertion: n^2 from there on. Worst: different
   keys with one hash, which is the top of a product. A key that comes twice costs more in small tables. */
#include <stdint.h>

int bucket10(const uint32_t *a, int n) {
    static uint32_t chain[64][256];
    int length[64] = {0}, work = 0;
    for (int i = 0; i < n; i++) {
        uint32_t slot = a[i] * 2654435761u >> 26;
        int k = 0;
        while (k < length[slot] && chain[slot][k] != a[i])
            k++;
        if (k < length[slot]) {
            for (int r = 0; r < 12; r++)
                work += r;
        } else if (k < 256) {
            chain[slot][k] = a[i];
            length[slot]++;
            if (k >= 9)
                for (int x = 0; x <= k; x++)
                    for (int y = 0; y < 20; y++)
                        work += chain[slot][x] > chain[slot][k];
        }
    }
    return work;
}
