/* Zeros at even places and others at odd ones, counted by doing an expensive task for each that is right; from the ESE suite.
 * n: the length of the list. Every element is an unknown 32-bit integer, and only asked whether it is zero.
 *
 * Worst: 0 at every even place and anything else at every odd one, so that the task is done n times. The decision has to go
 * the other way each time: no policy without memory tells that path from the others, one that knows the last decision does.
 *
 * Paths: 2 to the n; the test of `right` follows from the one before it.
 * The paper's worst case executes 6n + 1 lines: the loop, the two tests, one assignment, the call and the task's one line.
 * The task here is a call that adds to a counter. */
static int done;

static void expensive_task(void) { done++; }

int alternate_0(const int *list, int n) {
    done = 0;
    for (int i = 0; i < n; i++) {
        int right;
        if (list[i] == 0)
            right = 1 - i % 2;
        else
            right = i % 2;
        if (right != 0)
            expensive_task();
    }
    return done;
}
