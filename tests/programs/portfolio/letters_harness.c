/* A harness: n letters from a to z, each made by itself within its range, are sorted by insertion: n^2. Worst: falling. */
#include "slowpath.h"

#define MOST 4096
static char letter[MOST];

void letters_harness(int n) {
    if (n > MOST)
        n = MOST;
    for (int i = 0; i < n; i++)
        letter[i] = slowpath_range_char('a', 'z', "letter");
    slowpath_begin();
    for (int i = 1; i < n; i++) {
        char held = letter[i];
        int k = i;
        for (; k > 0 && letter[k - 1] > held; k--)
            letter[k] = letter[k - 1];
        letter[k] = held;
    }
    slowpath_end();
}
