/* Reads fields between commas. A quote opens a field that may hold anything up to the next single quote; where there is none, the quote is
   an ordinary character. */
static int closing(const unsigned char *s, int n, int from) {
    for (int i = from; i < n; i++) {
        if (s[i] != '"')
            continue;
        if (i + 1 < n && s[i + 1] == '"')
            i++;
        else if (i + 1 == n || s[i + 1] == ',' || s[i + 1] == '\n')
            return i;
    }
    return -1;
}

int csv(const unsigned char *s, int n) {
    int fields = 1, at_start = 1;
    for (int i = 0; i < n; i++) {
        if (s[i] == ',' || s[i] == '\n') {
            fields++;
            at_start = 1;
        } else if (s[i] == '"' && at_start) {
            int end = closing(s, n, i + 1);
            if (end >= 0)
                i = end;
            at_start = 0;
        } else {
            at_start = 0;
        }
    }
    return fields;
}
