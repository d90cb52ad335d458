/* x to the power of n by repeated squaring, modulo a prime: log n. The same for every x, but uneven in n (its bits). */
#include <stdint.h>

uint32_t power_mod(uint32_t x, int n) {
    uint64_t square = x % 65521u, product = 1;
    for (int rest = n; rest > 0; rest >>= 1) {
        if (rest & 1)
            product = product * square % 65521u;
        square = square * square % 65521u;
    }
    return (uint32_t)product;
}
