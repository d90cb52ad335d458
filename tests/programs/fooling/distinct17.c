/* Names clients in a table of 17; a new one beyond that has the oldest thrown out and all moved: n. A known one costs more
   while there are few. */
#include <stdint.h>

int distinct17(const int32_t *a, int n) {
    int32_t known[17];
    int used = 0, work = 0;
    for (int i = 0; i < n; i++) {
        int k = used - 1;
        while (k >= 0 && known[k] != a[i])
            k--;
        if (k >= 0) {
            for (int r = 0; r < 20; r++)
                work += r * k;
        } else if (used < 17) {
            known[used++] = a[i];
        } else {
            for (int from = 0; from < 17; from++)
                for (int r = 0; r < 6; r++)
                    work += known[from] ^ r;
            for (int to = 0; to < 16; to++)
                known[to] = known[to + 1];
            known[16] = a[i];
        }
    }
    return work;
}
