/* A table of 64 places with open addressing; with 10 keys or more, every insertion puts all of them in anew: n^2 up to 64.
   While it is almost empty, a key that is there already costs more. */
#include <stdint.h>

static uint32_t table[64], spare[64];

static int place(uint32_t *in, uint32_t key) {
    uint32_t at = key & 63;
    while (in[at] != 0 && in[at] != key)
        at = (at + 1) & 63;
    int fresh = in[at] == 0;
    in[at] = key;
    return fresh;
}

int load10(const uint32_t *a, int n) {
    int used = 0, work = 0;
    for (int i = 0; i < 64; i++)
        table[i] = 0;
    for (int i = 0; i < n && used < 63; i++) {
        if (a[i] == 0)
            continue;
        if (!place(table, a[i])) {
            for (int k = 0; k < 10; k++)
                work += k;
        } else if (++used >= 10) {
            for (int k = 0; k < 64; k++)
                spare[k] = 0;
            for (int k = 0; k < 64; k++)
                if (table[k] != 0)
                    work += place(spare, table[k]);
        }
    }
    return work;
}
