/* Floating point. ascents: n is the number of floats; one decision for each neighbouring pair, and a NaN is no ascent.
 * Paths of ascents: 2^(n-1) (1, 2, 4, 8). Paths of near_root_two: 4 (NaN and negative, below, above, close). */
int ascents(const float *a, int n) {
    int count = 0;
    for (int i = 1; i < n; i++) {
        if (a[i - 1] < a[i])
            count++;
    }
    return count;
}

int near_root_two(double x) {
    if (!(x >= 0.0))
        return -1;
    double square = x * x;
    if (square < 1.9999)
        return 0;
    if (square > 2.0001)
        return 2;
    return 1;
}

/* Concrete work with every conversion in it, to compare engines bit for bit. */
double mixture(int n) {
    double sum = 0.0;
    for (int i = 1; i <= n; i++) {
        float third = (float)i / 3.0f;
        sum += (double)third * (double)(int)third - (double)(i % 7) / (double)i;
    }
    return sum;
}
