/* Counts vowels; from 33 on, each one counts all before it again: n^2. In short texts the other letters cost more. */
#include <stdint.h>

static int is_vowel(char c) {
    return c == 'a' || c == 'e' || c == 'i' || c == 'o' || c == 'u';
}

int count33(const char *s, int n) {
    int vowels = 0, work = 0;
    for (int i = 0; i < n; i++) {
        if (!is_vowel(s[i])) {
            for (int k = 0; k < 5; k++)
                work ^= s[i] * k;
        } else if (++vowels >= 33) {
            for (int k = 0; k < i; k++)
                work += is_vowel(s[k]);
        }
    }
    return work;
}
