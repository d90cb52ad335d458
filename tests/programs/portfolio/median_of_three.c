/* The median of an array by selection. The pivot is the median of the first, the middle and the last element, so neither a rising nor a falling
 * array is bad for it, and no pattern repeats in what is. */
static void exchange(int *a, int *b) {
    int kept = *a;
    *a = *b;
    *b = kept;
}

int median(int *a, int n) {
    int low = 0, high = n - 1, wanted = n / 2;
    if (n == 0) return 0;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (a[middle] < a[low]) exchange(&a[middle], &a[low]);
        if (a[high] < a[low]) exchange(&a[high], &a[low]);
        if (a[high] < a[middle]) exchange(&a[high], &a[middle]);
        int pivot = a[middle], i = low, j = high;
        while (i <= j) {
            while (a[i] < pivot) i++;
            while (a[j] > pivot) j--;
            if (i <= j) exchange(&a[i++], &a[j--]);
        }
        if (wanted <= j) high = j;
        else if (wanted >= i) low = i;
        else break;
    }
    return a[wanted];
}
