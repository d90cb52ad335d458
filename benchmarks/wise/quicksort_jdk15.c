/* The quicksort of JDK 1.5, with its median of nine for more than 40 elements removed, as in the WISE suite.
 * n: the length of the array. Every element is an unknown 32-bit integer; only comparisons are made.
 *
 * Below 7 elements it is an insertion sort. From 7 it partitions into less, equal and greater around the middle element (at
 * 7) or the median of the first, the middle and the last (above 7): equal elements are gathered at both ends, then swapped
 * to the middle, and what is less and what is greater is sorted in turn.
 *
 * Worst: below 7 a falling array. Above, every element that is not among the median's three falls on the same side of the
 * pivot, so that a partition takes only two elements away and leaves n - 2. Such an array has no simple formula, but can be
 * found by answering each comparison as it is made. In branches: n*n + n + 2 below 7, then (3n*n + 42n - 184)/4 for even n
 * and (3n*n + 42n - 129)/4 for odd.
 *
 * Paths: n! up to 6 (1, 2, 6, 24, 120, 720), the same as the table, which ends at 5. From 7 equal elements take paths of
 * their own: 11743 at 7, 106013 at 8, 1081621 at 9.
 * The `longest` row (5, 10, 17, 26, 37, ... 974 at 30) is our count of branches plus n at every size, as if the table
 * counted the loop that makes the inputs. It counts the test for the median of nine, too: that is why the test is still
 * here, with a LARGE that no array reaches. */
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
