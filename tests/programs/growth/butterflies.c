/* The Walsh transform of whatever pairs fit into n: n log n for every input. */
#include <stdint.h>

void butterflies(int32_t *a, int n) {
    for (int width = 1; width < n; width *= 2)
        for (int i = 0; i + width < n; i++)
            if ((i & width) == 0) {
                int32_t sum = a[i] + a[i + width];
                a[i + width] = a[i] - a[i + width];
                a[i] = sum;
            }
}
