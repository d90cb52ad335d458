/* Every element that is marked is compared with all others, and with each of them as long as the square is not past n: n^2.5. Worst: all are marked. */
#include <stdint.h>

int pairs_of_blocks(const uint8_t *marked, int n) {
    int equal = 0;
    for (int i = 0; i < n; i++) {
        if (marked[i] == 0)
            continue;
        for (int j = 0; j < n; j++)
            for (int k = 0; k * k < n; k++)
                equal += marked[j] == marked[k];
    }
    return equal;
}
