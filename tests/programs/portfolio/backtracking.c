/* Matches the whole text against (a|a)*b, trying alternatives in turn: 2^n. Worst: letters a and never a b; 24 of them take
   more than 1e9 instructions. */
#include <stdint.h>

static const char alternatives[] = "aa";

static int star(const char *s, int at, int n) {
    if (at == n)
        return 0;
    for (int which = 0; alternatives[which] != 0; which++)
        if (s[at] == alternatives[which] && star(s, at + 1, n))
            return 1;
    return s[at] == 'b' && at + 1 == n;
}

int backtracking(const char *s, int n) {
    return star(s, 0, n);
}
