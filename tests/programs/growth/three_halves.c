/* Multiplies as Karatsuba does: three products of half the digits, and sums of them: n^log2(3), that is n^1.58. Without an input that matters. */
#include <stdint.h>

static uint32_t product(const uint8_t *a, int from, int n) {
    if (n < 2)
        return (uint32_t)a[from] * a[from];
    int half = n / 2;
    uint32_t low = product(a, from, half), high = product(a, from + half, n - half);
    uint32_t middle = product(a, from + half / 2, half);
    for (int i = 0; i < n; i++)
        middle += a[from + i];
    return low + middle + high;
}

uint32_t three_halves(const uint8_t *a, int n) {
    return product(a, 0, n);
}
