/* What programs ask of the C library with what they read: lengths, searches, comparisons, numbers, classes of characters, sorting. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

int lengths(const char *text, int n) {
    (void)n;
    return (int)strlen(text);
}

int searches(const char *text, int n) {
    const char *comma = memchr(text, ',', (size_t)n);
    const char *colon = strchr(text, ':');
    return (comma != 0) + (colon != 0);
}

int compares(const char *text, int n) {
    static const char *const words[] = {"get", "put", "post", "delete"};
    (void)n;
    for (int i = 0; i < 4; i++)
        if (strcmp(text, words[i]) == 0)
            return i;
    return -1;
}

long numbers(const char *text, int n) {
    (void)n;
    char *end;
    long value = strtol(text, &end, 10);
    return value > 100 ? 1 : 0;
}

int classes(const char *text, int n) {
    int words = 0, inside = 0;
    for (int i = 0; i < n; i++) {
        int letter = isalnum((unsigned char)text[i]) || text[i] == '_';
        words += letter && !inside;
        inside = letter;
    }
    return words;
}

static int ascending(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

int sorts(int *a, int n) {
    qsort(a, (size_t)n, sizeof *a, ascending);
    return a[0];
}

/* Buffers of as many bytes as the input says. */
int buffers(const unsigned char *sizes, int n) {
    int got = 0;
    for (int i = 0; i < n; i++) {
        char *p = malloc(sizes[i]);
        if (!p)
            return -1;
        memset(p, 1, sizes[i]);
        got += sizes[i] ? p[sizes[i] - 1] : 0;
        free(p);
    }
    return got;
}

/* An array that doubles. */
int grows(const unsigned char *counts, int n) {
    int room = 4, used = 0, *all = malloc(4 * sizeof *all);
    for (int i = 0; i < n && all; i++)
        for (int j = 0; j < counts[i] % 8; j++) {
            if (used == room)
                all = realloc(all, (size_t)(room *= 2) * sizeof *all);
            if (!all)
                return -1;
            all[used++] = i;
        }
    free(all);
    return used;
}

double floats(const char *text, int n) {
    (void)n;
    return strtod(text, 0) > 2.5 ? 1 : 0;
}
