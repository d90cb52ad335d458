/* Deep recursion, long loops, many paths, much memory. */
#include <stdint.h>
#include <stdlib.h>

int ackermann(int m, int n) {
    if (m <= 0)
        return n + 1;
    return n <= 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

int down(const uint8_t *a, int n) {
    if (n <= 0)
        return 0;
    return (a[n - 1] & 1) + down(a, n - 1);
}

/* 3^n paths. */
int three_ways(const int32_t *a, int n) {
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] < -5 ? 1 : a[i] > 5 ? 2 : 0;
    return sum;
}

/* A loop that never ends for one input. */
int endless(int32_t x) {
    volatile int y = 0;
    while (x == 42)
        y++;
    return y;
}

/* Counts to the input. */
int count_to(uint32_t x) {
    uint32_t i = 0;
    volatile int y = 0;
    while (i < x) {
        i++;
        y += 3;
    }
    return y;
}

/* A page more for every byte that is set. */
int hoard(const uint8_t *a, int n) {
    int got = 0;
    for (int i = 0; i < n; i++) {
        if (a[i] > 100) {
            volatile char *block = malloc(1 << 20);
            if (!block)
                return -1;
            for (int j = 0; j < 1 << 20; j += 1024)
                block[j] = 1;
            got++;
        }
    }
    return got;
}

/* Insertion sort. */
void isort(int32_t *a, int n) {
    for (int i = 1; i < n; i++) {
        int32_t x = a[i];
        int j = i;
        while (j > 0 && a[j - 1] > x) {
            a[j] = a[j - 1];
            j--;
        }
        a[j] = x;
    }
}

/* The sum of n numbers: one path, however many there are. */
int64_t sum(const int32_t *a, int n) {
    int64_t total = 0;
    for (int i = 0; i < n; i++)
        total += a[i];
    return total;
}
