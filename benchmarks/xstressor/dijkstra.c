/* Dijkstra's shortest paths on the complete graph, with a linear scan for the nearest open node; from the XSTRESSOR suite.
 * n: the number of nodes (at most 1024). All n*n weights are unknown, from 0 to 1000 by the signature, so that no sum can
 * overflow; those of a node to itself are never read.
 *
 * Counted: how often a node comes nearer. (In branches all paths are equal: both inner loops always go over all nodes.)
 * Worst: each node that is closed brings all open ones nearer, n(n - 1)/2 times in all. A chain of zeros from node to node
 * does it, with c - r - 1 from node r to a later node c, so that the way to c is better the longer it stays on
 * the chain.
 *
 * Paths: 1, 1, 4, 56, 2592, as in the paper's introduction. In the first round, where all others are FAR, nothing is decided. */
enum { MOST = 1024, FAR = 0x7fffffff };

static int distance[MOST];
static _Bool closed[MOST];

void dijkstra(const int *weight, int n) {
    for (int i = 0; i < n; i++) {
        distance[i] = FAR;
        closed[i] = 0;
    }
    distance[0] = 0;

    for (int round = 0; round < n; round++) {
        int nearest = -1, best = FAR;
        for (int i = 0; i < n; i++) {
            if (!closed[i] && distance[i] < best) {
                nearest = i;
                best = distance[i];
            }
        }
        closed[nearest] = 1;
        for (int i = 0; i < n; i++) {
            if (!closed[i] && best + weight[nearest * n + i] < distance[i])
                distance[i] = best + weight[nearest * n + i]; /* counted */
        }
    }
}
