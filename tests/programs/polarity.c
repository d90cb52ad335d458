/* Conditions written in every way, each with its costly side marked, to see that explanations speak of the source.
 * n is the number of elements of each array; every element is tested alone, so the worst case takes every costly side. */
static void costly(volatile int *sink) {
    for (int i = 0; i < 5; i++)
        *sink += i;
}

int polarity(int *a, int *b, int n) {
    volatile int sink = 0;
    for (int i = 0; i < n; i++) {
        if (a[4 * i] >= 6) /* true costs */
            costly(&sink);
        if (3 < a[4 * i + 1]) /* false costs */
            sink++;
        else
            costly(&sink);
        if (!(a[4 * i + 2] == b[i])) /* false costs: what ! is about is named */
            costly(&sink);
        if (a[4 * i + 3]) /* zero costs */
            sink++;
        else
            costly(&sink);
    }
    return sink;
}
