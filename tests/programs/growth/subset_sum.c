/* Tries every subset for one that adds up to the target, and stops at the first: 2^n. Worst: there is none. */
#include <stdint.h>

static int reaches(const int32_t *a, int n, int32_t missing) {
    if (missing == 0)
        return 1;
    if (n == 0)
        return 0;
    return reaches(a + 1, n - 1, missing - a[0]) || reaches(a + 1, n - 1, missing);
}

int subset_sum(const int32_t *a, int n, int32_t target) {
    return reaches(a, n, target);
}
