/* A concrete speed benchmark: the product of two n by n matrices of integers, n at most 256. Returns a checksum. */
#include <stdint.h>

enum { MOST = 256 };

static int32_t a[MOST * MOST], b[MOST * MOST], c[MOST * MOST];

int32_t matrix(int32_t n) {
    if (n > MOST)
        n = MOST;
    for (int32_t i = 0; i < n * n; i++) {
        a[i] = i % 7 - 3;
        b[i] = i % 5 - 2;
    }
    uint32_t checksum = 0;
    for (int32_t row = 0; row < n; row++) {
        for (int32_t column = 0; column < n; column++) {
            int32_t sum = 0;
            for (int32_t k = 0; k < n; k++)
                sum += a[row * n + k] * b[k * n + column];
            c[row * n + column] = sum;
            checksum = checksum * 31 + (uint32_t)sum;
        }
    }
    return (int32_t)checksum;
}
