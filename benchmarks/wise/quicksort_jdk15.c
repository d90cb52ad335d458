/* The quicksort of JDK 1.5, with its median of nine for more than 40 elements removed, as in the WISE suite.
 * n: the length of the array. Every element is an unknown 32-bit integer; only comparisons are made.
 *
 * Below 7 elements it is an insertion sort. From 7 it partitions into less, equal and greater around the middle element (at 7) or
 * the median of the first, the middle and the last (above 7): equal elements are gathered at both ends, then swapped to the
 * middle, and what is less and what is greater is sorted in turn.
 *
 * Worst: below 7 a falling array. Above, every element but the median's own three falls on the same side, so that a partition
 * takes away only two elements and leaves n - 2; then about n*n/4 comparisons.
 *
 * Paths: n! up to 6 (1, 2, 6, 24, 120, 720), the same as the table, which ends at 5. From 7 equal elements take paths of their own.
 * The `longest` row is our count of branches plus n: the table also counts the loop that makes the n inputs. */
enum { SMALL = 7, LARGE = 1 << 30 };

static void swap(int *x, int i, int j) {
    int kept = x[i];
    x[i] = x[j];
    x[j] = kept;
}

static void swap_ranges(int *x, int i, int j, int count) {
    for (int k = 0; k < count; k++)
        swap(x, i + k, j + k);
}

static int smaller(int a, int b) { return a <= b ? a : b; }

static int median_of_three(const int *x, int i, int j, int k) {
    if (x[i] < x[j]) {
        if (x[j] < x[k])
            return j;
        return x[i] < x[k] ? k : i;
    }
    if (x[j] > x[k])
        return j;
    return x[i] > x[k] ? k : i;
}

static void sort(int *x, int first, int count) {
    if (count < SMALL) {
        for (int i = first; i < first + count; i++)
            for (int j = i; j > first; j--) {
                if (x[j - 1] <= x[j])
                    break;
                swap(x, j, j - 1);
            }
        return;
    }

    int end = first + count;
    int middle = first + (count >> 1);
    if (count > SMALL) {
        int low = first, high = end - 1;
        if (count > LARGE) {
            int eighth = count / 8;
            low = median_of_three(x, low, low + eighth, low + 2 * eighth);
            middle = median_of_three(x, middle - eighth, middle, middle + eighth);
            high = median_of_three(x, high - 2 * eighth, high - eighth, high);
        }
        middle = median_of_three(x, low, middle, high);
    }
    int pivot = x[middle];

    /* Kept true: equal in [first, a), less in [a, b), unseen in [b, c], greater in (c, d], equal in (d, end). */
    int a = first, b = first, c = end - 1, d = end - 1;
    for (;;) {
        while (b <= c) {
            if (x[b] > pivot)
                break;
            if (x[b] == pivot)
                swap(x, a++, b);
            b++;
        }
        while (c >= b) {
            if (x[c] < pivot)
                break;
            if (x[c] == pivot)
                swap(x, c, d--);
            c--;
        }
        if (b > c)
            break;
        swap(x, b++, c--);
    }

    int moved = smaller(a - first, b - a);
    swap_ranges(x, first, b - moved, moved);
    moved = smaller(d - c, end - d - 1);
    swap_ranges(x, b, end - moved, moved);

    int less = b - a;
    if (less > 1)
        sort(x, first, less);
    int greater = d - c;
    if (greater > 1)
        sort(x, end - greater, greater);
}

void quicksort_jdk15(int *x, int n) { sort(x, 0, n); }
