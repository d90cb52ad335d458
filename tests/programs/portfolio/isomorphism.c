/* Looks for a bijection between two graphs, vertex by vertex, and turns back at the first edge that does not fit: n!.
   Worst: nothing tells vertices apart but the last one, which fits nowhere. */
#include <stdint.h>

static int extend(const uint8_t *a, const uint8_t *b, int n, int vertex, uint32_t taken, uint8_t *image) {
    if (vertex == n)
        return 1;
    for (int to = 0; to < n; to++) {
        if (taken >> to & 1)
            continue;
        image[vertex] = (uint8_t)to;
        int k = 0;
        while (k <= vertex && a[vertex * n + k] == b[to * n + image[k]] && a[k * n + vertex] == b[image[k] * n + to])
            k++;
        if (k > vertex && extend(a, b, n, vertex + 1, taken | 1u << to, image))
            return 1;
    }
    return 0;
}

int isomorphism(const uint8_t *a, const uint8_t *b, int n) {
    uint8_t image[32];
    if (n > 32)
        return -1;
    return extend(a, b, n, 0, 0, image);
}
