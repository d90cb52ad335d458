/* What is measured, and in what unit. n is the number of unknown numbers; the set-up loop lies outside begin and end.
 * Paths: 2^n (2, 4, 8). `custom` is 3 for each number over 100 and 1 for each other; at most 3n. */
#include "slowpath.h"

enum { MOST = 1024 };

int measured(int n) {
    static int32_t a[MOST];
    static int doubled[MOST];
    for (int i = 0; i < n; i++)
        a[i] = slowpath_range_i32(0, 1000, "a");
    for (int i = 0; i < n; i++)
        doubled[i] = 2 * a[i];
    slowpath_begin();
    int large = 0;
    for (int i = 0; i < n; i++) {
        if (doubled[i] > 200) {
            slowpath_cost(3);
            large++;
        } else {
            slowpath_cost(1);
        }
    }
    slowpath_end();
    return large;
}
