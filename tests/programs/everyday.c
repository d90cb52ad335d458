/* Functions as an ordinary developer has them: text, a length, a struct, a comparator. */

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Quadratic: the length is counted for every character. */
int parse_pairs(const char *s) {
    int pairs = 0;
    for (size_t i = 0; i < strlen(s); i++)
        if (s[i] == '=')
            pairs++;
    return pairs;
}

int commas(const char *text, size_t len) {
    int count = 0;
    for (size_t i = 0; i < len; i++)
        if (text[i] == ',')
            count++;
    return count;
}

void insertion(int *a, int n) {
    for (int i = 1; i < n; i++)
        for (int j = i; j > 0 && a[j - 1] > a[j]; j--) {
            int held = a[j];
            a[j] = a[j - 1];
            a[j - 1] = held;
        }
}

struct buffer {
    char *data;
    size_t len;
    int flags;
};

int repeats(const struct buffer *b) {
    int count = 0;
    for (size_t i = 0; i < b->len; i++)
        for (size_t j = 0; j < i; j++)
            if (b->data[i] == b->data[j])
                count++;
    return count + (b->flags > 5);
}

typedef struct {
    int x, y;
} point;

int leftmost(const point *points, int n) {
    int best = 0;
    for (int i = 1; i < n; i++)
        if (points[i].x < points[best].x)
            best = i;
    return best;
}

int falling(const void *a, const void *b) { return *(const int *)b - *(const int *)a; }

int first_of(const int *a, int n, int (*before)(const void *, const void *)) {
    int best = 0;
    for (int i = 1; i < n; i++)
        if (before(&a[i], &a[best]) < 0)
            best = i;
    return a[best];
}

void expand(char *dst, const char *src) {
    for (; *src; src++) {
        if (*src == '\t')
            *dst++ = ' ';
        *dst++ = *src;
    }
    *dst = 0;
}

int sum(const int *a, int n) {
    int total = 0;
    for (int i = 0; i < n; i++)
        total += a[i];
    return total;
}

struct hidden;
int peek(struct hidden *h) { return h != 0; }
