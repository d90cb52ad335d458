/* Capitals for small letters, with the length measured anew for each letter: n^2. Worst: no end before n. */
#include <stdint.h>

static int length(const char *s, int most) {
    int count = 0;
    while (count < most && s[count] != 0)
        count++;
    return count;
}

void shout(char *s, int n) {
    for (int i = 0; i < length(s, n); i++)
        if (s[i] >= 'a' && s[i] <= 'z')
            s[i] -= 'a' - 'A';
}
