/* Amounts that depend on the input: a size asked from the allocator, a length written, a line that runs before, inside
 * and after the measured region. n does not matter to the first two. */
#include <stdlib.h>
#include <unistd.h>
#include "slowpath.h"

int grab(unsigned k) {
    if (k > 100)
        return 0;
    void *p = malloc(k);
    int got = p != 0;
    free(p);
    return got;
}

int emit(unsigned k) {
    static const char text[64] = "text";
    if (k > 60)
        return 0;
    return (int)write(1, text, k);
}

static int count;

static void step(void) {
    count++; /* line 26: n times in the region, n times outside it */
}

int regions(int n) {
    for (int i = 0; i < n; i++)
        step();
    slowpath_begin();
    for (int i = 0; i < n; i++)
        step();
    slowpath_end();
    return count;
}
