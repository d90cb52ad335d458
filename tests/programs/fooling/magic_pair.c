/* Messages: 1234 followed by -4321 opens a block if at least 10 more follow, and a block is summed from each place: n^2. */
#include <stdint.h>

int magic_pair(const int32_t *a, int n) {
    int work = 0;
    for (int i = 0; i + 1 < n; i++) {
        if (a[i] < a[i + 1])
            work += 2;
        if (i + 12 > n || a[i] != 1234 || a[i + 1] != -4321)
            continue;
        for (int from = i + 2; from < n; from++)
            for (int k = from; k < n; k++)
                work ^= a[k] + from;
        return work;
    }
    return work;
}
