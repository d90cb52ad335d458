/* Insertion sort, from the WISE suite.
 * n: the length of the array. Every element is an unknown 32-bit integer; only comparisons are made, so nothing can
 * overflow.
 *
 * Worst: a falling array. Each element is smaller than everything before it and walks to the front, n(n-1)/2 comparisons.
 *
 * Paths: n! (1, 2, 6, 24, 120, ... 3628800 at 10), one for each way the elements can be ordered; equal elements stay put, so
 * they take the path of the rising order. The same as the table. The table has no `longest` row for this program; here it is
 * n*n + n - 1 branches: n loop tests, and for the element at i another 2i + 1, the last of them `j > 0` failing. */
void insertion_sort(int *a, int n) {
    for (int i = 1; i < n; i++) {
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
