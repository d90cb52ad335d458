/* The quicksort of JDK 1.5 as it was, with both of its switches, at 7 and at 40 elements; from the ESE suite.
 * n: the length of the list. Every element is an unknown 32-bit integer; only comparisons are made.
 *
 * Below 7 elements it is an insertion sort. From 7 it partitions into less, equal and greater around the middle element (at
 * 7), the median of the first, the middle and the last (up to 40), or the median of the medians of three such threes
 * (above 40): equal elements are gathered at both ends, then swapped to the middle, and what is less and what is greater
 * is sorted in turn. The WISE suite has the same sort without the last of these.
 *
 * Worst: below 7 a falling list. From 7 on each partition takes away as little as it can: the pivot at 7, it and one equal to
 * it up to 40, it and three that are less above 40 (a median of medians of nine has three below it), and leaves the worst
 * list of what remains. worst.py makes such lists by undoing partitions. Up to 10 exhaustive exploration finds nothing
 * that costs more. Above, they are the best known, not proven: simulated annealing from eleven of them, at sizes from
 * 12 to 100 and with 50,000 to 530,000 steps each, found nothing worse, and McIlroy's adversary, adapted to this sort, gives
 * 54831 instructions at 100 where worst.py's list takes 68335. What is learned below 40 is wrong above, which is what the program is here for.
 *
 * Paths: 1, 2, 6, 24, 120, 720, 11743, 106013, 1081621 at 9, 13146905 at 10: n! until the equal elements take paths of
 * their own. */
enum { SMALL = 7, LARGE = 40 };

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

void quicksort_jdk(int *list, int n) { sort(list, 0, n); }
