/* Insertion sort, from the XSTRESSOR suite, where it is the running example.
 * n: the length of the array. Every element is an unknown 32-bit integer; only comparisons are made.
 *
 * Counted: how often an element moves up one place, the body of the inner loop, which is the block the paper wants to run
 * as often as possible.
 * Worst: a falling array; n(n - 1)/2 moves.
 *
 * Paths: n!, one for each order; equal elements stay where they are. */
void insertion_sort(int *a, int n) {
    for (int i = 1; i < n; i++) {
        int moving = a[i];
        int j = i - 1;
        while (j >= 0) {
            if (a[j] <= moving)
                break;
            a[j + 1] = a[j]; /* counted */
            j--;
        }
        a[j + 1] = moving;
    }
}
