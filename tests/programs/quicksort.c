/* Quicksort, the last element as pivot. n is the length of the array.
 * Paths: n! (1, 2, 6, 24, 120). Worst: every partition is empty on one side, as on a sorted array; about n*n/2 comparisons. */
static void swap(int *x, int *y) {
    int kept = *x;
    *x = *y;
    *y = kept;
}

static int partition(int *a, int low, int high) {
    int pivot = a[high];
    int border = low;
    for (int i = low; i < high; i++) {
        if (a[i] < pivot) {
            swap(&a[i], &a[border]);
            border++;
        }
    }
    swap(&a[border], &a[high]);
    return border;
}

static void sort_between(int *a, int low, int high) {
    if (low < high) {
        int middle = partition(a, low, high);
        sort_between(a, low, middle - 1);
        sort_between(a, middle + 1, high);
    }
}

void quicksort(int *a, int n) { sort_between(a, 0, n - 1); }
