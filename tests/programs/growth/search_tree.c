/* Puts n keys into a search tree that is never balanced: n^2. Worst: a tree without forks, as from rising keys. */
#include <stdint.h>

#define MOST 16384
static int32_t key[MOST];
static uint16_t left[MOST], right[MOST];

int search_tree(const int32_t *a, int n) {
    int used = 0;
    for (int i = 0; i < n && used < MOST; i++) {
        int at = 0;
        while (at < used && key[at] != a[i]) {
            uint16_t *child = &left[at];
            if (a[i] > key[at])
                child = &right[at];
            if (*child == 0)
                *child = (uint16_t)used;
            at = *child;
        }
        if (at == used) {
            key[used] = a[i];
            left[used] = right[used] = 0;
            used++;
        }
    }
    return used;
}
