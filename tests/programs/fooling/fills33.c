/* Gathers even numbers in a buffer of 33 that is sorted by insertion when it is full: n. Before that, odd ones cost more.
   Worst: even numbers that fall. */
#include <stdint.h>

int fills33(const int32_t *a, int n) {
    int32_t buffer[33];
    int used = 0, work = 0;
    for (int i = 0; i < n; i++) {
        if (a[i] & 1) {
            for (int k = 0; k < 8; k++)
                work += a[i] >> k;
            continue;
        }
        buffer[used++] = a[i];
        if (used < 33)
            continue;
        for (int k = 1; k < 33; k++) {
            int32_t held = buffer[k];
            int to = k;
            for (; to > 0 && buffer[to - 1] > held; to--)
                buffer[to] = buffer[to - 1];
            buffer[to] = held;
        }
        work += buffer[0];
        used = 0;
    }
    return work;
}
