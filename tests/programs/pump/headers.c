/* Unfolds header lines: a line that begins with a blank goes on the one before, which is measured anew each time. */
static int length_of(const unsigned char *line) {
    int length = 0;
    while (line[length])
        length++;
    return length;
}

#define MOST 65536
static unsigned char line[MOST + 1];

int headers(const unsigned char *s, int n) {
    int fields = 0;
    line[0] = 0;
    for (int i = 0; i < n;) {
        int end = i;
        while (end < n && s[end] != '\n')
            end++;
        int at = 0;
        if (end > i && (s[i] == ' ' || s[i] == '\t'))
            at = length_of(line);
        else
            fields++;
        for (; i < end && at < MOST; i++)
            if (s[i])
                line[at++] = s[i];
        line[at] = 0;
        i = end + 1;
    }
    return fields;
}
