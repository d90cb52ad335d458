/* Knuth, Morris and Pratt's search for the first occurrence of a pattern of three; from the ESE suite.
 * n: the length of the text. The three elements of the pattern and the n of the text are unknown 32-bit integers; only
 * equality is asked.
 *
 * Worst: the pattern 0 0 1 in a text of zeros that ends in something else. From the third on, each zero of the text fails
 * against the 1, falls back by one and matches there; the last fails everywhere, three times. Two comparisons for each element
 * is as many as the algorithm can be made to do in the long run, and the way there is irregular: the pattern must not match
 * itself entirely, the text must not match the pattern, and the last element has to break the habit. The search is a walk
 * among three states, so that a worst case that holds up to 13, as exhaustive exploration shows, holds beyond.
 *
 * Paths: 8, 18, 42, 93, 205, 453, 1006, 2249, 5063, 11475 at 10.
 * The paper gives no listing, and its worst case executes 7n + 13 lines; ours is 85n + 101 instructions from 2 on, and
 * 7n + 7 branches. */
enum { PATTERN = 3 };

static int border[PATTERN];

/* border[k]: how much of the pattern's beginning also ends its first k + 1 elements. */
static void find_borders(const int *pattern) {
    border[0] = 0;
    int matched = 0;
    for (int i = 1; i < PATTERN; i++) {
        while (matched > 0) {
            if (pattern[matched] == pattern[i])
                break;
            matched = border[matched - 1];
        }
        if (pattern[matched] == pattern[i])
            matched++;
        border[i] = matched;
    }
}

int kmp(const int *pattern, const int *text, int n) {
    find_borders(pattern);
    int matched = 0;
    for (int i = 0; i < n; i++) {
        while (matched > 0) {
            if (pattern[matched] == text[i])
                break;
            matched = border[matched - 1];
        }
        if (pattern[matched] == text[i])
            matched++;
        if (matched == PATTERN)
            return i + 1 - PATTERN;
    }
    return -1;
}
