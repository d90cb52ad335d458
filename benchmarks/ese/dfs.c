/* Is the last vertex of a directed graph reachable from the first? Depth first, on an adjacency matrix; from the ESE suite.
 * n: the number of unknown integers in the matrix, which has no place for edges from a vertex to itself. So there are v
 * vertices, v the largest with v(v - 1) <= n: 3, 7, 9 and 10 at the paper's sizes 10, 50, 75 and 100. What is left over is
 * not read. Row u has the edges to 0, 1, ... without u itself; an integer other than 0 is an edge.
 *
 * Worst: all vertices but the goal have edges to each other, and the goal only one to it, from the first vertex, its last
 * neighbour. Everything is then visited and looked at before the search comes back to the first vertex and ends.
 *
 * Paths: 1, 2, 8, 118, 7500 with 1 to 5 vertices (n = 1, 2, 6, 12, 20).
 * The paper's worst case executes 2v*v - v + 3 lines, with these v: 18, 94, 156 and 193. */
#include "slowpath.h"

enum { MOST = 4096, VERTICES = 64 };

static int32_t edge[MOST];
static _Bool visited[VERTICES];
static int vertices;

static _Bool is_edge(int from, int to) { return edge[from * (vertices - 1) + to - (to > from)] != 0; }

static _Bool search(int current, int goal) {
    if (current == goal)
        return 1;
    visited[current] = 1;
    for (int next = 0; next < vertices; next++) {
        if (next == current)
            continue;
        if (is_edge(current, next)) {
            if (!visited[next]) {
                if (search(next, goal))
                    return 1;
            }
        }
    }
    return 0;
}

_Bool dfs(int n) {
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
