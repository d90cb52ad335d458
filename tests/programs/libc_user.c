/* A program that needs a C library: it copies its input to the heap and prints a line. n is the length of the array.
 * Paths: 2^n (2, 4, 8): each element is negative or not. What is printed depends only on how many are. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int count_negative(const int *a, int n) {
    int *copy = malloc((size_t)n * sizeof *copy);
    if (!copy)
        return -1;
    memcpy(copy, a, (size_t)n * sizeof *copy);
    int negative = 0;
    for (int i = 0; i < n; i++) {
        if (copy[i] < 0)
            negative++;
    }
    free(copy);
    printf("%d of %d are negative\n", negative, n);
    return negative;
}
