/* Boyer and Moore's search for the pattern abc; from the XSTRESSOR suite, which took GNU grep's.
 * n: the length of the text. All its bytes are unknown; the pattern is fixed.
 *
 * The pattern is compared from its end. Where it does not match, it moves on: by as much as the text's byte allows (to
 * where the pattern has that byte, or past it), or by as much as the matched end allows, whichever is more. No part of abc
 * occurs in it twice, so a matched end allows all of its length.
 * Where a byte stands in the pattern is found by asking, not by a table of 256: an unknown byte as an index would make the
 * next place in the text unknown, and that is a choice among bytes once more.
 *
 * Worst: a text of b, each of which moves the pattern by one only, with a c at its end: there the pattern's c and b match, and
 * its a does not. The paper's worst case ends with a match instead, three equal comparisons after a number of unequal ones
 * that grows with n; its target is those comparisons, of which both have n. In branches, which count the moves, too, the
 * match is cheaper: after it nothing is looked up. Either way the comparison has to fail n - 3 times before it first holds.
 *
 * Paths: 1, 1, 10, 16, 25, 103, 205, 385, ... */
enum { PATTERN = 3 };

static const unsigned char pattern[PATTERN] = {'a', 'b', 'c'};

/* How far the pattern's end is from its last `byte`. */
static int from_end(unsigned char byte) {
    for (int k = 0; k < PATTERN; k++) {
        if (pattern[PATTERN - 1 - k] == byte)
            return k;
    }
    return PATTERN;
}

int boyer_moore(const unsigned char *text, int n) {
    int end = PATTERN - 1;
    while (end < n) {
        int matched = 0;
        while (matched < PATTERN) {
            if (text[end - matched] != pattern[PATTERN - 1 - matched])
                break;
            matched++;
        }
        if (matched == PATTERN)
            return end + 1 - PATTERN;
        int move = from_end(text[end - matched]) - matched;
        if (matched > 0)
            move = PATTERN;
        end += move;
    }
    return -1;
}
