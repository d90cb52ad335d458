/* A cache of 16 keys, replaced in turn; each replacement adds a check over all of them: n. Up to 16, hits cost more. */
#include <stdint.h>

int cache16(const int32_t *key, int n) {
    int32_t held[16];
    int filled = 0, next = 0, work = 0;
    for (int i = 0; i < n; i++) {
        int hit = 0;
        for (int k = 0; k < filled; k++)
            if (held[k] == key[i])
                hit = 1;
        if (hit) {
            for (int k = 0; k < 25; k++)
                work += k * i;
        } else {
            if (filled == 16)
                for (int x = 0; x < 16; x++)
                    for (int y = 0; y < 16; y++)
                        work += held[x] ^ held[y];
            else
                filled++;
            held[next] = key[i];
            next = (next + 1) % 16;
        }
    }
    return work;
}
