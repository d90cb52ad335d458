/* Checks nested brackets: for every opening one it looks for its partner from where it stands. */
static int partner(const unsigned char *s, int n, int from) {
    int depth = 0;
    for (int i = from; i < n; i++) {
        if (s[i] == '[')
            depth++;
        else if (s[i] == ']' && --depth == 0)
            return i;
    }
    return -1;
}

int brackets(const unsigned char *s, int n) {
    int matched = 0;
    for (int i = 0; i < n; i++)
        if (s[i] == '[' && partner(s, n, i) >= 0)
            matched++;
    return matched;
}
