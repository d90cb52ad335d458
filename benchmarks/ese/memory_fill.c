/* Copies what is not zero into a buffer of 16 cells; from the ESE suite.
 * n: the length of the list. Every element is an unknown 32-bit integer, and only asked whether it is zero.
 *
 * Up to 16 elements are copied without looking at them. Of more, those that are not zero are copied for as long as there is
 * room; what comes after that is still looked at, which is the slip the paper wants to see found.
 *
 * Worst: nothing is zero. Up to 16 there is one path, so nothing learned there says anything about 17, and at 17
 * there are 131072 paths already.
 *
 * Paths: 1 up to 16, then 2 to the n.
 * The paper's worst case executes 2n + 5 lines up to 16, then 4n + 22. */
enum { CELLS = 16 };

static int cells[CELLS];

void memory_fill(const int *list, int n) {
    int room = CELLS;
    if (n <= room) {
        for (int i = 0; i < n; i++)
            cells[i] = list[i];
        return;
    }
    for (int i = 0; i < n; i++) {
        if (list[i] != 0) {
            room--;
            if (room >= 0)
                cells[room] = list[i];
        }
    }
}
