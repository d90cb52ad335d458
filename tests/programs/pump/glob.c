/* Matches a text against a pattern of letters, `?` and `*`, which is tried with every length. */
static int match(const unsigned char *p, int m, const unsigned char *t, int n) {
    while (m > 0) {
        if (*p == '*') {
            while (m > 1 && p[1] == '*')
                p++, m--;
            for (int skip = 0; skip <= n; skip++)
                if (match(p + 1, m - 1, t + skip, n - skip))
                    return 1;
            return 0;
        }
        if (n == 0 || (*p != '?' && *p != *t))
            return 0;
        p++, m--, t++, n--;
    }
    return n == 0;
}

int glob(const unsigned char *p, int m, const unsigned char *t, int n) {
    return match(p, m, t, n);
}
