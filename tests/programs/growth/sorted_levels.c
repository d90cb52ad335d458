/* For every element that is marked, walks down the levels of a tree, and down those below each of them again: n log² n. Worst: all are marked. */
#include <stdint.h>

int sorted_levels(const uint8_t *marked, int n) {
    int steps = 0;
    for (int i = 0; i < n; i++) {
        if (marked[i] == 0)
            continue;
        for (int level = n; level > 1; level /= 2)
            for (int below = level; below > 1; below /= 2)
                steps++;
    }
    return steps;
}
