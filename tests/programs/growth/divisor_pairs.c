/* Tries every divisor up to the root of every number up to n: n^1.5, without any input. */
int divisor_pairs(int n) {
    int pairs = 0;
    for (int number = 1; number <= n; number++)
        for (int d = 1; d * d <= number; d++)
            pairs += number % d == 0;
    return pairs;
}
