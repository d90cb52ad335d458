/* Takes the bits of the first number away one by one. At most 32 rounds, whatever n is: 1. Worst: all bits set. */
#include <stdint.h>

int first_bits(const uint32_t *a, int n) {
    if (n < 1)
        return 0;
    uint32_t rest = a[0];
    int rounds = 0;
    while (rest != 0) {
        rest &= rest - 1;
        rounds++;
    }
    return rounds;
}
