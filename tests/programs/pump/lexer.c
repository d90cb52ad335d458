/* A lexer: a number may be a version, a date or a float, which each look ahead as far as digits and signs go before one decides. */
static int is_digit(unsigned char c) {
    return c >= '0' && c <= '9';
}

static int scan(const unsigned char *s, int n, int from, unsigned char sign, unsigned char last) {
    int i = from;
    while (i < n && (is_digit(s[i]) || s[i] == sign))
        i++;
    return i < n && s[i] == last ? i + 1 : -1;
}

int lexer(const unsigned char *s, int n) {
    int tokens = 0;
    for (int i = 0; i < n;) {
        if (is_digit(s[i])) {
            int end = scan(s, n, i, '-', 'Z');
            if (end < 0)
                end = scan(s, n, i, '.', 'v');
            if (end < 0)
                for (end = i; end < n && is_digit(s[end]); end++)
                    ;
            i = end;
        } else {
            i++;
        }
        tokens++;
    }
    return tokens;
}
