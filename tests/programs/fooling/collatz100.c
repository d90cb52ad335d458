/* Halves even and triples odd numbers until 1; from the 10th on that took over 100 steps, all are compared: n^3, else n. */
#include <stdint.h>

int collatz100(const uint32_t *a, int n) {
    int slow = 0, work = 0;
    for (int i = 0; i < n; i++) {
        uint32_t x = a[i];
        int steps = 0;
        for (; x > 1; steps++)
            x = x % 2 == 0 ? x / 2 : 3 * x + 1;
        if (steps > 100)
            slow++;
        if (slow >= 10)
            for (int k = 0; k < i; k++)
                for (int r = 0; r < i; r++)
                    work += a[k] < a[r];
    }
    return work;
}
