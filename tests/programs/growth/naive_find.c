/* Looks for a word half as long as the text at every place: n^2. Worst: they differ in the last letter only. */
#include <stdint.h>

int naive_find(const uint8_t *text, int n, const uint8_t *word, int m) {
    for (int i = 0; i + m <= n; i++) {
        int k = 0;
        while (k < m && text[i + k] == word[k])
            k++;
        if (k == m)
            return i;
    }
    return -1;
}
