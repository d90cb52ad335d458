/* Keeps positive numbers in 24 places, and once these are full asks for memory and moves all it has for every 8 more: n^2,
   but linear, and without new memory, up to 24. */
#include <stdint.h>

#define MOST 16384
static int32_t space[2][MOST];

int spill24(const int32_t *a, int n) {
    int used = 0, capacity = 24, side = 0;
    for (int i = 0; i < n; i++) {
        if (a[i] <= 0)
            continue;
        if (used == capacity) {
            if (capacity + 8 > MOST)
                return used;
#ifdef __wasm__
            if (capacity < 128)
                __builtin_wasm_memory_grow(0, 1);
#endif
            for (int k = 0; k < used; k++)
                space[1 - side][k] = space[side][k];
            side = 1 - side;
            capacity += 8;
        }
        space[side][used++] = a[i];
    }
    return used;
}
