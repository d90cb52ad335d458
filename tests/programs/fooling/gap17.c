/* Marks (7) among other digits: one that comes 17 places or more after the last has all places between compared: n^2.
   Marks close together cost more in short inputs. Worst: one at each end. */
#include <stdint.h>

int gap17(const uint8_t *a, int n) {
    int last = -1, work = 0;
    for (int i = 0; i < n; i++) {
        if (a[i] != 7)
            continue;
        if (last >= 0 && i - last >= 17)
            for (int x = last; x < i; x++)
                for (int y = x; y < i; y++)
                    work += a[x] ^ a[y];
        else
            for (int k = 0; k < 10; k++)
                work += k;
        last = i;
    }
    return work;
}
