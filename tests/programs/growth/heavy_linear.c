/* A costly sum over each number and a cheap insertion of it: n^2, but the linear part leads up to some hundred numbers.
   Worst: falling. */
#include <stdint.h>

uint32_t heavy_linear(int32_t *a, int n) {
    uint32_t sum = 1;
    for (int i = 0; i < n; i++) {
        int32_t held = a[i];
        for (int round = 0; round < 200; round++)
            sum = (sum ^ (uint32_t)held) * 16777619u + (uint32_t)round;
        int k = i;
        for (; k > 0 && a[k - 1] > held; k--)
            a[k] = a[k - 1];
        a[k] = held;
    }
    return sum;
}
