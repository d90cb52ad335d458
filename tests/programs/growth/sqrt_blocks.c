/* For every element that is marked, adds up its block of about sqrt n elements: n^1.5. Worst: all are marked. */
#include <stdint.h>

int sqrt_blocks(const uint8_t *marked, int n) {
    int width = 1, sum = 0;
    while (width * width < n)
        width++;
    for (int i = 0; i < n; i++) {
        if (marked[i] == 0)
            continue;
        int start = i - i % width;
        for (int k = start; k < start + width && k < n; k++)
            sum += marked[k];
    }
    return sum;
}
