/* Keeps the numbers that are not zero in an array that doubles when it is full: n, amortised, in steps at powers of two. */
#include <stdint.h>

#define MOST 65536
static int32_t space[2][MOST];

int push_all(const int32_t *a, int n) {
    int used = 0, capacity = 1, side = 0;
    for (int i = 0; i < n; i++) {
        if (a[i] == 0)
            continue;
        if (used == capacity) {
            if (capacity == MOST)
                return used;
            for (int k = 0; k < used; k++)
                space[1 - side][k] = space[side][k];
            side = 1 - side;
            capacity *= 2;
        }
        space[side][used++] = a[i];
    }
    return used;
}
