/* Bottom-up merge sort. n is the length of the array (at most 1024).
 * Paths: n! (1, 2, 6, 24, 120). The choice inside the merge is written as one expression on purpose: from -O1 on, compilers
 * turn it into a select and the index itself into a sum of comparisons, and no branch is left. */
static int t[1024];

void merge_sort(int *a, int n) {
    for (int width = 1; width < n; width *= 2) {
        for (int low = 0; low < n; low += 2 * width) {
            int middle = low + width;
            if (middle > n)
                middle = n;
            int high = middle + width;
            if (high > n)
                high = n;
            int i = low, j = middle, k = low;
            while (i < middle && j < high)
                t[k++] = a[i] <= a[j] ? a[i++] : a[j++];
            while (i < middle)
                t[k++] = a[i++];
            while (j < high)
                t[k++] = a[j++];
        }
        for (int i = 0; i < n; i++)
            a[i] = t[i];
    }
}
