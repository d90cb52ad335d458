/* Moves a tower of n discs from peg to peg: 2^n, without any input. */
static int move(int discs, int from, int to) {
    if (discs == 0)
        return 0;
    int other = 3 - from - to;
    return move(discs - 1, from, other) + 1 + move(discs - 1, other, to);
}

int hanoi(int n) {
    return move(n, 0, 2);
}
