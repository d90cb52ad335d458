/* Bellman-Ford shortest paths on the complete graph, from the WISE suite.
 * n: the number of nodes (at most 64). All n*n weights are unknown, from -1000 to 1000 by the signature, as in the paper's
 * program, so that sums stay far from overflow and from FAR; those of a node to itself are never read.
 *
 * Edges are relaxed in rounds until a round changes nothing, or for n rounds.
 * Worst: every edge out of a reached node relaxes in the first round and some edge still relaxes in every one, which takes a
 * negative cycle: all weights -1 does it. Then n rounds are made, with n*n*(n-1) comparisons.
 *
 * Paths: 1, 2, 63, 184875. The same as the table.
 * The `longest` row is our count of branches, 4n*n*n + 4n + 3, plus 2n(n + 1) from n = 2 on: the table also counts the loops
 * that make the inputs. At n = 1 it has 1, less than the loops of the algorithm itself; we have 10. */
enum { MOST = 64, FAR = 1000000 };

static int distance[MOST];
static _Bool reached[MOST];

int bellman_ford(const int *weight, int n) {
    for (int i = 0; i < n; i++) {
        distance[i] = FAR;
        reached[i] = 0;
    }
    distance[0] = 0;
    reached[0] = 1;

    int round;
    _Bool relaxed;
    for (round = 0; round < n; round++) {
        relaxed = 0;
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                if (i == j)
                    continue;
                if (reached[i]) {
                    int through = distance[i] + weight[i * n + j];
                    if (distance[j] > through) {
                        distance[j] = through;
                        reached[j] = 1;
                        relaxed = 1;
                    }
                }
            }
        }
        if (!relaxed)
            break;
    }

    int negative_cycle = 0;
    if (round == n)
        negative_cycle = 1;
    return negative_cycle;
}
