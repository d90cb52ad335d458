/* Recursion with exponential cost. n is the number of flags; a set flag makes the rest be visited twice.
 * Paths: 2^n (2, 4, 8, 16): the second visit meets the same flags, already decided. Worst: all set, 2^(n+1) - 1 calls. */
static int visit(const unsigned char *flags, int at, int n) {
    if (at == n)
        return 1;
    int leaves = visit(flags, at + 1, n);
    if (flags[at])
        leaves += visit(flags, at + 1, n);
    return leaves;
}

int explore(const unsigned char *flags, int n) { return visit(flags, 0, n); }

/* No inputs but n: the depth of the stack is n. */
int descend(int n) { return n <= 0 ? 0 : 1 + descend(n - 1); }
