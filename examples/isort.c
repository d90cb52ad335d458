/* Insertion sort: the first thing to try slowpath on.
 *
 *     slowpath analyze examples/isort.c --call 'isort(a: i32[n], n)' --sizes 1..6
 *
 * It is slowest on a strictly falling array, where every element travels the whole way to the front: n(n-1)/2 moves. */
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
