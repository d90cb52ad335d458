/* Is the last vertex of a directed graph reachable from the first? Breadth first, on an adjacency matrix; from the ESE suite.
 * n: the number of unknown integers in the matrix, which has no place for edges from a vertex to itself. So there are v
 * vertices, v the largest with v(v - 1) <= n: 3, 7, 9 and 10 at the paper's sizes 10, 50, 75 and 100. What is left over is
 * not read. Row u has the edges to 0, 1, ... without u itself; an integer other than 0 is an edge.
 *
 * Worst: every edge is there. The first vertex puts all others into the queue, the goal last, and each looks at all its
 * neighbours in vain before the goal comes out.
 *
 * Paths: 1, 2, 10, 218, 21886 with 1 to 5 vertices (n = 1, 2, 6, 12, 20).
 * The paper gives no listing. Its 26, 114, 182 and 222 lines are 2v*v + 2v + 2, which is what this algorithm executes if
 * finding the row's edges is not counted. */
#include "slowpath.h"

enum { MOST = 4096, VERTICES = 64 };

static int32_t edge[MOST];
static _Bool visited[VERTICES];
static int queue[VERTICES];
static int vertices;

static _Bool is_edge(int from, int to) { return edge[from * (vertices - 1) + to - (to > from)] != 0; }

static _Bool search(int start, int goal) {
    int out = 0, in = 0;
    queue[in++] = start;
    visited[start] = 1;
    while (out < in) {
        int current = queue[out++];
        if (current == goal)
            return 1;
        for (int next = 0; next < vertices; next++) {
            if (next == current)
                continue;
            if (is_edge(current, next)) {
                if (!visited[next]) {
                    visited[next] = 1;
                    queue[in++] = next;
                }
            }
        }
    }
    return 0;
}

_Bool bfs(int n) {
    vertices = 1;
    while ((vertices + 1) * vertices <= n)
        vertices++;
    for (int i = 0; i < vertices; i++)
        visited[i] = 0;
    slowpath_i32_array(edge, n, "edge");
    slowpath_begin();
    _Bool found = search(0, vertices - 1);
    slowpath_end();
    return found;
}
