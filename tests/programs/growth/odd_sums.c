/* The root of n, by taking odd numbers away from it until nothing is left: sqrt n, without any input. */
int odd_sums(int n) {
    int root = 0;
    for (int rest = n, odd = 1; rest >= odd; odd += 2) {
        rest -= odd;
        root++;
    }
    return root;
}
