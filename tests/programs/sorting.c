/* A concrete speed benchmark: heapsort of n pseudo-random integers, n at most 65536. Returns a checksum, or -1 if the result
 * is not in order. */
#include <stdint.h>

enum { MOST = 65536 };

static int32_t a[MOST];

static void sift_down(int32_t at, int32_t n) {
    int32_t key = a[at];
    for (;;) {
        int32_t child = 2 * at + 1;
        if (child >= n)
            break;
        if (child + 1 < n && a[child] < a[child + 1])
            child++;
        if (a[child] <= key)
            break;
        a[at] = a[child];
        at = child;
    }
    a[at] = key;
}

int32_t sorting(int32_t n) {
    if (n > MOST)
        n = MOST;
    uint32_t random = 12345;
    for (int32_t i = 0; i < n; i++) {
        random = random * 1664525u + 1013904223u;
        a[i] = (int32_t)(random >> 1);
    }
    for (int32_t i = n / 2 - 1; i >= 0; i--)
        sift_down(i, n);
    for (int32_t end = n - 1; end > 0; end--) {
        int32_t largest = a[0];
        a[0] = a[end];
        a[end] = largest;
        sift_down(0, end);
    }
    uint32_t checksum = 0;
    for (int32_t i = 0; i < n; i++) {
        if (i > 0 && a[i - 1] > a[i])
            return -1;
        checksum = checksum * 31 + (uint32_t)a[i];
    }
    return (int32_t)(checksum >> 1);
}
