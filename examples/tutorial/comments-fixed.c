/* Removes comments from a text, in place, and returns the new length. A comment that is never closed is text. */
static int end_of_comment(const char *s, int i) {
    for (; s[i]; i++)
        if (s[i] == '*' && s[i + 1] == '/')
            return i + 2;
    return 0;
}

int strip_comments(char *text) {
    int length = 0;
    int closed = 1; /* false once there is no end further on */
    for (int i = 0; text[i];) {
        int end = 0;
        if (closed && text[i] == '/' && text[i + 1] == '*')
            closed = end = end_of_comment(text, i + 2);
        if (end)
            i = end;
        else
            text[length++] = text[i++];
    }
    text[length] = 0;
    return length;
}
