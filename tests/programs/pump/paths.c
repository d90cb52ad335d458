/* Normalises a path in place: `/./` and `name/../` are taken out, and it begins again from the start whenever something was. */
static int take_out(unsigned char *s, int n, int from, int count) {
    for (int i = from; i + count < n; i++)
        s[i] = s[i + count];
    return n - count;
}

int paths(unsigned char *s, int n) {
    for (int changed = 1; changed;) {
        changed = 0;
        for (int i = 0; i + 1 < n && !changed; i++) {
            if (s[i] != '/')
                continue;
            if (s[i + 1] == '/') {
                n = take_out(s, n, i, 1);
                changed = 1;
            } else if (i + 2 < n && s[i + 1] == '.' && s[i + 2] == '/') {
                n = take_out(s, n, i, 2);
                changed = 1;
            } else if (i > 0 && i + 3 < n && s[i + 1] == '.' && s[i + 2] == '.' && s[i + 3] == '/') {
                int from = i;
                while (from > 0 && s[from - 1] != '/')
                    from--;
                n = take_out(s, n, from, i + 4 - from);
                changed = 1;
            }
        }
    }
    return n;
}
