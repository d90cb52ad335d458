/* Quicksort with the median of three as its pivot, and insertion sort for what is short: quadratic, but no simple shape shows it. */
static void insertion(int *a, int n) {
    for (int i = 1; i < n; i++)
        for (int j = i; j > 0 && a[j - 1] > a[j]; j--) {
            int t = a[j];
            a[j] = a[j - 1];
            a[j - 1] = t;
        }
}

static void swap(int *a, int *b) {
    int t = *a;
    *a = *b;
    *b = t;
}

void median_quicksort(int *a, int n) {
    while (n > 8) {
        int *low = a, *middle = a + n / 2, *high = a + n - 1;
        if (*middle < *low) swap(middle, low);
        if (*high < *low) swap(high, low);
        if (*high < *middle) swap(high, middle);
        int pivot = *middle, i = 0, j = n - 1;
        while (i <= j) {
            while (a[i] < pivot) i++;
            while (pivot < a[j]) j--;
            if (i <= j) swap(a + i++, a + j--);
        }
        median_quicksort(a, j + 1);
        a += i;
        n -= i;
    }
    insertion(a, n);
}
