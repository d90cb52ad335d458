/* Two loops, one after the other: a pass that carries the largest element to the end, then an insertion sort of the rest.
 * n is the length of the array.
 * Paths: n! (1, 2, 6, 24, 120).
 * Worst: a falling array. The first loop swaps at every step and leaves a falling rest; the second then moves each element of
 * it to the front: n - 1 swaps and (n - 1)(n - 2)/2 moves. */
void two_loops(int *a, int n) {
    for (int i = 0; i + 1 < n; i++) {
        if (a[i] > a[i + 1]) {
            int kept = a[i];
            a[i] = a[i + 1];
            a[i + 1] = kept;
        }
    }
    for (int i = 1; i + 1 < n; i++) {
        int moving = a[i];
        int j = i;
        while (j > 0) {
            if (a[j - 1] <= moving)
                break;
            a[j] = a[j - 1];
            j--;
        }
        a[j] = moving;
    }
}
