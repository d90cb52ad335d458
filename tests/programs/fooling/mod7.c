/* The largest number; where n is a multiple of 7, the numbers are also sorted by insertion: n^2 there, n elsewhere. */
#include <stdint.h>

int32_t mod7(int32_t *a, int n) {
    int32_t most = INT32_MIN;
    for (int i = 0; i < n; i++)
        if (a[i] > most)
            most = a[i];
    if (n % 7 == 0)
        for (int i = 1; i < n; i++) {
            int32_t held = a[i];
            int k = i;
            for (; k > 0 && a[k - 1] > held; k--)
                a[k] = a[k - 1];
            a[k] = held;
        }
    return most;
}
