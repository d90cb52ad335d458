/* The longest repeat in a text, every two starts compared letter by letter: n^3. Worst: all letters alike. */
#include <stdint.h>

int longest_repeat(const uint8_t *s, int n) {
    int best = 0;
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++) {
            int k = 0;
            while (j + k < n && s[i + k] == s[j + k])
                k++;
            if (k > best)
                best = k;
        }
    return best;
}
