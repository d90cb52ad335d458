/* A parser of settings: lines of `key = value`, where a value is a number, a "text" or a [list] of such, and # begins a comment.
 * Returns how many well-formed settings there are, or minus the number of the first line that is none. */

enum { DEEPEST = 8 };

static int is_space(char c) { return c == ' ' || c == '\t'; }
static int is_digit(char c) { return c >= '0' && c <= '9'; }
static int is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

static int skip_spaces(const char *s, int i, int n) {
    while (i < n && is_space(s[i])) i++;
    return i;
}

/* The end of the value at i, or -1. */
static int value(const char *s, int i, int n, int depth) {
    if (i >= n || depth > DEEPEST) return -1;
    if (s[i] == '"') {
        for (i++; i < n && s[i] != '"'; i++) {
            if (s[i] == '\n') return -1;
            if (s[i] == '\\') i++;
        }
        return i < n ? i + 1 : -1;
    }
    if (s[i] == '[') {
        i = skip_spaces(s, i + 1, n);
        while (i < n && s[i] != ']') {
            i = value(s, i, n, depth + 1);
            if (i < 0) return -1;
            i = skip_spaces(s, i, n);
            if (i < n && s[i] == ',') i = skip_spaces(s, i + 1, n);
        }
        return i < n ? i + 1 : -1;
    }
    int from = i;
    if (s[i] == '-') i++;
    while (i < n && is_digit(s[i])) i++;
    return i > from ? i : -1;
}

int settings(const char *s, int n) {
    int count = 0, line = 1, i = 0;
    while (i < n) {
        i = skip_spaces(s, i, n);
        if (i < n && is_letter(s[i])) {
            while (i < n && (is_letter(s[i]) || is_digit(s[i]))) i++;
            i = skip_spaces(s, i, n);
            if (i >= n || s[i] != '=') return -line;
            i = value(s, skip_spaces(s, i + 1, n), n, 0);
            if (i < 0) return -line;
            count++;
            i = skip_spaces(s, i, n);
        }
        if (i < n && s[i] == '#') while (i < n && s[i] != '\n') i++;
        if (i < n && s[i] != '\n') return -line;
        i++;
        line++;
    }
    return count;
}
