/* Merge sort by recursion, with both halves copied out before they are merged. n is the length of the array (at most 2048).
 * Paths: n! (1, 2, 6, 24, 120).
 * Worst: no merge runs out of one half before a single element of the other is left. Take the sorted values, give the
 * left half every second one counted back from the largest, the right half the others, and so on in each half. */
enum { MOST = 2048 };

static int left[MOST], right[MOST];

static void merge(int *a, int half, int n) {
    for (int i = 0; i < half; i++)
        left[i] = a[i];
    for (int i = half; i < n; i++)
        right[i - half] = a[i];
    int i = 0, j = 0, to = 0;
    while (i < half && j < n - half) {
        if (left[i] <= right[j])
            a[to++] = left[i++];
        else
            a[to++] = right[j++];
    }
    while (i < half)
        a[to++] = left[i++];
    while (j < n - half)
        a[to++] = right[j++];
}

void merge_recursive(int *a, int n) {
    if (n < 2)
        return;
    int half = n / 2;
    merge_recursive(a, half);
    merge_recursive(a + half, n - half);
    merge(a, half, n);
}
