/* Dijkstra's shortest paths on the complete graph of n nodes, from node 0, with a linear scan for the nearest open node.
 * n is the number of nodes (at most 128). The n*n weights are unknown, each from 0 to 1000, so no sum can overflow.
 * Paths: 1, 1, 4, 56, 2592. Symbolic are `distance[v] < best` among the reached nodes and the relaxation; the first round,
 * where everything is still FAR, decides nothing. */
#include "slowpath.h"

enum { MOST = 128, FAR = 0x7fffffff, HEAVIEST = 1000 };

static int32_t weight[MOST * MOST];
static int distance[MOST];
static _Bool closed[MOST];

void shortest_paths(int n) {
    for (int v = 0; v < n; v++) {
        distance[v] = FAR;
        closed[v] = 0;
    }
    distance[0] = 0;
    for (int round = 0; round < n; round++) {
        int nearest = -1;
        int best = FAR;
        for (int v = 0; v < n; v++) {
            if (!closed[v] && distance[v] < best) {
                best = distance[v];
                nearest = v;
            }
        }
        closed[nearest] = 1;
        for (int v = 0; v < n; v++) {
            if (!closed[v]) {
                int through = distance[nearest] + weight[nearest * n + v];
                if (through < distance[v])
                    distance[v] = through;
            }
        }
    }
}

void dijkstra(int n) {
    slowpath_i32_array(weight, n * n, "weight");
    for (int i = 0; i < n * n; i++)
        slowpath_assume((weight[i] >= 0) & (weight[i] <= HEAVIEST));
    slowpath_begin();
    shortest_paths(n);
    slowpath_end();
}
