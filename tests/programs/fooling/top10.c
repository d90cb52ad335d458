/* Keeps the 10 largest numbers; once there are 10, a larger one goes through all of them: n. Before that, smaller ones cost
   more. Worst: rising. */
#include <stdint.h>

int32_t top10(const int32_t *a, int n) {
    int32_t best[10], sum = 0;
    int used = 0;
    for (int i = 0; i < n; i++) {
        if (used < 10) {
            if (used > 0 && a[i] < best[used - 1])
                for (int k = 0; k < 4; k++)
                    sum ^= a[i] >> k;
            best[used++] = a[i];
            continue;
        }
        int least = 0;
        for (int k = 1; k < 10; k++)
            if (best[k] < best[least])
                least = k;
        if (a[i] <= best[least])
            continue;
        best[least] = a[i];
        for (int x = 0; x < 10; x++)
            for (int y = 0; y < x; y++)
                sum += best[x] > best[y];
    }
    return sum;
}
