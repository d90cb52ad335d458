/* Rising runs: from the 10th on, each number looks back over its run: n^2. Short inputs cost most if they fall. */
#include <stdint.h>

int rising10(const int32_t *a, int n) {
    int run = 1, work = 0;
    for (int i = 1; i < n; i++) {
        if (a[i] > a[i - 1]) {
            run++;
            if (run >= 10)
                for (int k = i - run + 1; k < i; k++)
                    for (int r = 0; r < 3; r++)
                        work += a[k] & r;
        } else {
            run = 1;
            for (int k = 0; k < 3; k++)
                work += k;
        }
    }
    return work;
}
