/* A header whose tenth word may be a magic number, which has all words compared with each other: n^2, else n. */
#include <stdint.h>

int magic_tenth(const uint32_t *word, int n) {
    int work = 0;
    for (int i = 0; i < n; i++)
        if (word[i] > 1000)
            work++;
    if (n < 10 || word[9] != 0x2b992ddfu)
        return work;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            work += word[i] == word[k];
    return work;
}
