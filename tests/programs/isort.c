/* Insertion sort. n is the length of the array; the order of the elements decides everything.
 * Paths: n! (1, 2, 6, 24, 120). Worst: a strictly falling array, n(n-1)/2 moves. */
void isort(int *a, int n) {
    for (int i = 1; i < n; i++) {
        int x = a[i];
        int j = i;
        while (j > 0 && a[j - 1] > x) {
            a[j] = a[j - 1];
            j--;
        }
        a[j] = x;
    }
}
