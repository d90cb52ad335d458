/* A list of the colours seen; with 10 or more, a new one has it sorted by exchanges: n^3 up to 32 colours, then n.
   In short inputs a colour that comes again costs more. */
#include <stdint.h>

int distinct10(const uint8_t *a, int n) {
    uint8_t seen[64];
    int used = 0, work = 0;
    for (int i = 0; i < n; i++) {
        int k = 0;
        while (k < used && seen[k] != a[i])
            k++;
        if (k < used) {
            for (int r = 0; r < 12; r++)
                work += r ^ k;
            continue;
        }
        seen[used++] = a[i];
        if (used >= 10)
            for (int x = 0; x < used; x++)
                for (int y = x + 1; y < used; y++)
                    work += seen[x] < seen[y];
    }
    return work;
}
