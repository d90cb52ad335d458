/* Arithmetic on unknown floats, which solvers are slow at. */

/* Newton's square root: as many rounds as it takes. */
int newton(double x) {
    if (!(x > 0.0) || x > 1e12)
        return -1;
    double guess = x;
    int rounds = 0;
    while (guess * guess - x > 1e-6 * x && rounds < 100) {
        guess = 0.5 * (guess + x / guess);
        rounds++;
    }
    return rounds;
}

/* n numbers, each against the running mean. */
int above_mean(const double *a, int n) {
    double sum = 0.0;
    int count = 0;
    for (int i = 0; i < n; i++) {
        sum += a[i];
        if (a[i] * (i + 1) > sum)
            count++;
    }
    return count;
}

/* A polynomial by Horner's rule, its sign at n points. */
int signs(double x, double step, int n) {
    int count = 0;
    for (int i = 0; i < n; i++) {
        double y = ((x - 3.0) * x + 2.0) * x - 0.5;
        if (y > 0.0)
            count += i;
        x += step;
    }
    return count;
}

/* Points inside the unit disc. */
int disc(const float *xs, const float *ys, int n) {
    int inside = 0;
    for (int i = 0; i < n; i++)
        if (xs[i] * xs[i] + ys[i] * ys[i] < 1.0f)
            inside++;
    return inside;
}

/* The logistic map. */
int logistic(double x, int n) {
    if (!(x > 0.0 && x < 1.0))
        return 0;
    int high = 0;
    for (int i = 0; i < n; i++) {
        x = 3.9 * x * (1.0 - x);
        if (x > 0.5)
            high++;
    }
    return high;
}

/* Bisection of a cubic between two unknown ends. */
int bisect(double low, double high) {
    int rounds = 0;
    if (!(low < high))
        return 0;
    while (high - low > 1e-9 && rounds < 200) {
        double middle = 0.5 * (low + high);
        if (middle * middle * middle > 5.0)
            high = middle;
        else
            low = middle;
        rounds++;
    }
    return rounds;
}
