/* The word abcde again and again: after 4 of them in a row, every further letter has all before it read: n^2. A letter out
   of order costs more, and begins the row anew. */
#include <stdint.h>

int alphabet(const uint8_t *s, int n) {
    int row = 0, work = 0;
    for (int i = 0; i < n; i++) {
        if (s[i] - 'a' == row % 5) {
            row++;
        } else {
            row = s[i] == 'a' ? 1 : 0;
            for (int k = 0; k < 5; k++)
                work += s[i] * k;
        }
        if (row > 20)
            for (int k = 0; k < i; k++)
                for (int r = 0; r < 4; r++)
                    work += s[k] >> r;
    }
    return work;
}
