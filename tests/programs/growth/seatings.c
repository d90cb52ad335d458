/* Counts the ways to seat n guests, each only on a chair allowed to him, guest by guest: n!. Worst: all are allowed. */
#include <stdint.h>
#include <stdbool.h>

static int seat(const bool *allowed, int n, int guest, uint32_t taken) {
    if (guest == n)
        return 1;
    int ways = 0;
    for (int chair = 0; chair < n; chair++)
        if (allowed[guest * n + chair] && (taken >> chair & 1) == 0)
            ways += seat(allowed, n, guest + 1, taken | 1u << chair);
    return ways;
}

int seatings(const bool *allowed, int n) {
    return seat(allowed, n, 0, 0);
}
