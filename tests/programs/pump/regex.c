/* Searches a text for a fixed regular expression, (a|aa)*c at any place, backtracking. */
static int star(const unsigned char *t, int n, int at, int *end) {
    if (at < n && t[at] == 'a') {
        if (at + 1 < n && t[at + 1] == 'a' && star(t, n, at + 2, end))
            return 1;
        if (star(t, n, at + 1, end))
            return 1;
    }
    if (at < n && t[at] == 'c') {
        *end = at + 1;
        return 1;
    }
    return 0;
}

int regex(const unsigned char *t, int n) {
    int matches = 0;
    for (int i = 0; i < n; i++) {
        int end = 0;
        if (star(t, n, i, &end)) {
            matches++;
            i = end - 1;
        }
    }
    return matches;
}
