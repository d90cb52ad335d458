/* Finds Markdown's inline links and images, `[text](target)`: an opening bracket that leads to none is read again as text. */
static int link_end(const unsigned char *s, int n, int from) {
    int i = from + 1;
    while (i < n && s[i] != ']' && s[i] != '\n')
        i++;
    if (i + 1 >= n || s[i] != ']' || s[i + 1] != '(')
        return -1;
    for (i += 2; i < n && s[i] != '\n'; i++) {
        if (s[i] == ')')
            return i;
        if (s[i] == '<')
            while (i < n && s[i] != '>')
                i++;
    }
    return -1;
}

int links(const unsigned char *s, int n) {
    int found = 0;
    for (int i = 0; i < n; i++) {
        if (s[i] == '\\') {
            i++;
        } else if (s[i] == '[') {
            int end = link_end(s, n, i);
            if (end >= 0) {
                found++;
                i = end;
            }
        }
    }
    return found;
}
