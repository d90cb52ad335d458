/* All shortest paths of Floyd and Warshall, in place over an n times n matrix: n^3. An entry of 0 is no edge, and rows of
   no edge are passed over: worst with all edges there. */
#include <stdint.h>

void shortest_paths(uint8_t *d, int n) {
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++) {
            if (d[i * n + k] == 0)
                continue;
            for (int j = 0; j < n; j++) {
                int way = d[i * n + k] + d[k * n + j];
                if (d[k * n + j] != 0 && way < d[i * n + j])
                    d[i * n + j] = (uint8_t)way;
            }
        }
}
