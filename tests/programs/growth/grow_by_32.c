/* Keeps the positive numbers in an array that grows by 32 places when it is full: n^2 with a small constant, in steps. */
#include <stdint.h>

#define MOST 32768
static int32_t space[2][MOST];

int grow_by_32(const int32_t *a, int n) {
    int used = 0, capacity = 32, side = 0;
    for (int i = 0; i < n; i++) {
        if (a[i] <= 0)
            continue;
        if (used == capacity) {
            if (capacity == MOST)
                return used;
            for (int k = 0; k < used; k++)
                space[1 - side][k] = space[side][k];
            side = 1 - side;
            capacity += 32;
        }
        space[side][used++] = a[i];
    }
    return used;
}
