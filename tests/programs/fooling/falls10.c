/* Below 10 numbers all triples are tried, n^3; from 10 on only neighbours are compared, n: the cost falls. */
#include <stdint.h>

int falls10(const int32_t *a, int n) {
    int work = 0;
    if (n < 10) {
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                for (int k = 0; k < n; k++)
                    if (a[i] < a[j] && a[j] < a[k])
                        work++;
        return work;
    }
    for (int i = 1; i < n; i++)
        if (a[i] < a[i - 1])
            for (int k = 0; k < 10; k++)
                work += a[i] & k;
    return work;
}
