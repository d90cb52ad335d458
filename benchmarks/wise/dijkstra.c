/* Dijkstra's shortest paths on the complete graph, with a linear scan for the nearest open node; from the WISE suite.
 * n: the number of nodes (at most 128). All n*n weights are unknown, from 0 to 1000 by the signature, as in the paper's
 * program, so that no sum can overflow; those of a node to itself are never read.
 *
 * Worst: none in particular. Every path executes the same branches: the scan looks at all n nodes in each of n rounds, and
 * so does the relaxation, whatever the weights are. Only in instructions do paths differ: the worst relaxes, and finds a
 * nearer node, as often as possible.
 *
 * Paths: 1, 1, 4, 56, 2592. The same as the table. In the first round, where every other node is FAR, nothing is decided.
 * The `longest` row (12, 32, 62, 102, 152) is our count of branches, 5n*n + 4n + 2, plus n: we have 11, 30, 59, 98, 147. */
enum { MOST = 128, FAR = 0x7fffffff };

static int distance[MOST];
static _Bool closed[MOST];

void dijkstra(const int *weight, int n) {
    for (int i = 0; i < n; i++) {
        distance[i] = FAR;
        closed[i] = 0;
    }
    distance[0] = 0;

    for (int round = 0; round < n; round++) {
        int nearest = -1;
        int best = FAR;
        for (int i = 0; i < n; i++) {
            if (!closed[i] && distance[i] < best) {
                nearest = i;
                best = distance[i];
            }
        }
        closed[nearest] = 1;
        for (int i = 0; i < n; i++) {
            if (!closed[i] && distance[nearest] + weight[nearest * n + i] < distance[i])
                distance[i] = distance[nearest] + weight[nearest * n + i];
        }
    }
}
