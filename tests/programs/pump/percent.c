/* Decodes %41 in place: what comes after every escape is moved to the front. */
static int digit(unsigned char c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return -1;
}

int percent(unsigned char *s, int n) {
    for (int i = 0; i + 2 < n; i++) {
        if (s[i] != '%' || digit(s[i + 1]) < 0 || digit(s[i + 2]) < 0)
            continue;
        s[i] = (unsigned char)(16 * digit(s[i + 1]) + digit(s[i + 2]));
        for (int k = i + 1; k + 2 < n; k++)
            s[k] = s[k + 2];
        n -= 2;
    }
    return n;
}
