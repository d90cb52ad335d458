/* Orders (0) wait until a truck (1) comes; one that finds at least 10 compares all of them: n^3. Worst: two blocks.
   With fewer than 10, trucks cost more than orders. */
#include <stdint.h>
#include <stdbool.h>

int two_blocks(const bool *truck, int n) {
    int waiting = 0, work = 0;
    for (int i = 0; i < n; i++) {
        if (!truck[i]) {
            waiting++;
            continue;
        }
        for (int k = 0; k < 4; k++)
            work += k;
        if (waiting >= 10)
            for (int x = 0; x < waiting; x++)
                for (int y = 0; y < x; y++)
                    work += x ^ y;
    }
    return work;
}
