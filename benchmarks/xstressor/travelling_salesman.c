/* The travelling salesman by branch and bound, with the length so far as the only bound; from the XSTRESSOR suite.
 * n: the number of towns (at most 16). All n*n lengths are unknown, from 0 to 1000 by the signature, so that no sum can
 * overflow.
 *
 * Counted: towns entered, over all ways that are tried.
 * Worst: nothing is ever pruned, so that all (n - 1)! round trips are walked to their end. A road whose length depends only
 * on where it leads, and is never 0, does it: then all round trips are equally long, and every part of one is shorter.
 * Towns entered: E(n), where a search with k towns left enters 1 + k times as many as one with k - 1 left.
 *
 * Paths: 1, 1, 3, 297, as for the WISE suite's program. In the paper no tool gets to 10. */
enum { MOST = 16, FAR = 0x7fffffff };

static int best;
static _Bool visited[MOST];

static void enter(const int *length, int n, int town, int so_far, int left) {
    if (left == 0) { /* counted */
        if (so_far + length[town * n] < best)
            best = so_far + length[town * n];
        return;
    }
    if (so_far >= best)
        return;
    for (int next = 0; next < n; next++) {
        if (visited[next])
            continue;
        visited[next] = 1;
        enter(length, n, next, so_far + length[town * n + next], left - 1);
        visited[next] = 0;
    }
}

int travelling_salesman(const int *length, int n) {
    best = FAR;
    for (int i = 0; i < n; i++)
        visited[i] = 0;
    visited[0] = 1;
    enter(length, n, 0, 0, n - 1);
    return best;
}
