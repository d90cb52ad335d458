/* Pairs of neighbours that differ; where n leaves 5 when divided by 7, all equal pairs are weighed: n^2 there, else n. */
#include <stdint.h>

int rest5(const uint8_t *a, int n) {
    int work = 0;
    for (int i = 1; i < n; i++)
        if (a[i] != a[i - 1])
            work += a[i] ^ a[i - 1];
    if (n % 7 != 5)
        return work;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < i; k++)
            if (a[i] == a[k])
                for (int r = 0; r < 4; r++)
                    work += r;
    return work;
}
