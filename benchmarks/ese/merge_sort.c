/* Merge sort, top down, with a merge into a second array that is copied back; from the ESE suite.
 * n: the length of the list (at most 2048). Every element is an unknown 32-bit integer; only comparisons are made.
 *
 * Worst: no merge runs out of one half before a single element of the other is left, so that it makes as many comparisons as
 * there are elements, less one. Merges that alternate between the halves do it. It is one test more if the element left is of
 * the left half. worst.py makes such a list by undoing the merges: of the sorted values every second one, counted back
 * from the largest, goes to the left half, the others to the right, and so on in each half.
 *
 * Paths: n!, one for each order; equal elements keep theirs.
 * The paper gives no listing. Its 279, 2019, 3249 and 4549 lines grow like n log n, as this does. */
enum { MOST = 2048 };

static int merged[MOST];

static void merge(int *list, int low, int middle, int high) {
    int left = low, right = middle, to = low;
    while (left < middle && right < high) {
        if (list[left] <= list[right])
            merged[to++] = list[left++];
        else
            merged[to++] = list[right++];
    }
    while (left < middle)
        merged[to++] = list[left++];
    while (right < high)
        merged[to++] = list[right++];
    for (int i = low; i < high; i++)
        list[i] = merged[i];
}

static void sort(int *list, int low, int high) {
    if (high - low < 2)
        return;
    int middle = low + (high - low) / 2;
    sort(list, low, middle);
    sort(list, middle, high);
    merge(list, low, middle, high);
}

void merge_sort(int *list, int n) { sort(list, 0, n); }
