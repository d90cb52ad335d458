/* Four kinds of goods: once there are 5 of each, everything that comes has all counted again: n^2. Needs 20 to begin.
   Before that, the same kind twice costs more. Worst: the four kinds in turn. */
#include <stdint.h>

int four_counts(const uint8_t *kind, int n) {
    int zero = 0, one = 0, two = 0, three = 0, work = 0;
    for (int i = 0; i < n; i++) {
        if (kind[i] == 0)
            zero++;
        else if (kind[i] == 1)
            one++;
        else if (kind[i] == 2)
            two++;
        else
            three++;
        if (i > 0 && kind[i] == kind[i - 1])
            for (int k = 0; k < 6; k++)
                work += k;
        if (zero >= 5 && one >= 5 && two >= 5 && three >= 5)
            for (int k = 0; k < 4 * i; k++)
                work += kind[k / 4];
    }
    return work;
}
