/* A stack with an instruction that takes k things off at once: n, amortised. 0 and 1 push, k above that pops 2k. */
#include <stdint.h>

#define MOST 65536
static uint8_t stack[MOST];

int multipop(const uint8_t *ops, int n) {
    int height = 0, sum = 0;
    for (int i = 0; i < n; i++) {
        if (ops[i] <= 1) {
            if (height < MOST)
                stack[height++] = ops[i];
        } else {
            for (int k = 2 * ops[i]; k > 0 && height > 0; k--)
                sum += stack[--height];
        }
    }
    return sum + height;
}
