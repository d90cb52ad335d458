/* Reads `name=value` attributes of a tag, and compares every name with those before it to say which come twice. */
#define MOST 65536
static int starts[MOST], ends[MOST];

static int is_name(unsigned char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == ':';
}

int attributes(const unsigned char *s, int n) {
    int count = 0, twice = 0;
    for (int i = 0; i < n && s[i] != '>';) {
        if (!is_name(s[i])) {
            i++;
            continue;
        }
        int from = i;
        while (i < n && is_name(s[i]))
            i++;
        if (i >= n || s[i] != '=' || count == MOST)
            continue;
        for (int k = 0; k < count; k++) {
            int length = ends[k] - starts[k];
            if (length != i - from)
                continue;
            int same = 0;
            while (same < length && s[starts[k] + same] == s[from + same])
                same++;
            twice += same == length;
        }
        starts[count] = from;
        ends[count++] = i;
        i++;
        if (i < n && s[i] == '"')
            for (i++; i < n && s[i] != '"'; i++)
                ;
    }
    return twice;
}
