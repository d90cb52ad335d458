/* The input that McIlroy's adversary makes for newlib's qsort: n numbers of four bytes, on standard output. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

void newlib_qsort(void *, size_t, size_t, int (*)(const void *, const void *));

static int *values, solid, candidate, gas;

static int adversary(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    if (values[x] == gas && values[y] == gas) {
        if (x == candidate) values[x] = solid++;
        else values[y] = solid++;
    }
    if (values[x] == gas) candidate = x;
    else if (values[y] == gas) candidate = y;
    return values[x] - values[y];
}

int main(int count, char **words) {
    int n = count > 1 ? atoi(words[1]) : 0;
    int *places = malloc(sizeof(int) * (size_t)n + 1);
    values = malloc(sizeof(int) * (size_t)n + 1);
    if (!places || !values) return 1;
    gas = n - 1;
    for (int i = 0; i < n; i++) {
        places[i] = i;
        values[i] = gas;
    }
    newlib_qsort(places, (size_t)n, sizeof(int), adversary);
    fwrite(values, sizeof(int), (size_t)n, stdout);
    return 0;
}
