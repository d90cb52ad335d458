/* A cache of 8 pages, the latest first; a page that is thrown out is written back: n. While pages are few, hits cost more.
   Worst: more than 8 pages in turn. */
#include <stdint.h>

int cache8(const uint8_t *page, int n) {
    uint8_t held[8];
    int used = 0, work = 0;
    for (int i = 0; i < n; i++) {
        int at = 0;
        while (at < used && held[at] != page[i])
            at++;
        if (at < used) {
            for (int k = 0; k < 10; k++)
                work += k;
        } else if (used < 8) {
            used++;
        } else {
            at = 7;
            for (int k = 0; k < 60; k++)
                work ^= held[7] + k;
        }
        for (int k = at; k > 0; k--)
            held[k] = held[k - 1];
        held[0] = page[i];
    }
    return work;
}
