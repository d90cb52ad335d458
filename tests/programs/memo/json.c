/* Tokens of JSON with at most four levels of nesting: strings with escapes, numbers, names, brackets that must match. Whatever
   is no token ends the text. */

#define DEPTH 4

enum { VALUE, STRING, ESCAPE, NUMBER, NAME };

int tokens(const unsigned char *s, int n) {
    int count = 0, state = VALUE, depth = 0;
    unsigned open = 0; /* a bit for each level: 1 for an object */
    for (int i = 0; i < n; i++) {
        unsigned char c = s[i];
        if (state == ESCAPE) {
            state = STRING;
            continue;
        }
        if (state == STRING) {
            if (c == '\\')
                state = ESCAPE;
            else if (c == '"') {
                state = VALUE;
                count++;
            } else if (c < 0x20)
                return -1;
            continue;
        }
        if (state == NUMBER) {
            if ((c >= '0' && c <= '9') || c == '.' || c == 'e')
                continue;
            state = VALUE;
            count++;
        }
        if (state == NAME) {
            if (c >= 'a' && c <= 'z')
                continue;
            state = VALUE;
            count++;
        }
        if (c == '"')
            state = STRING;
        else if (c == '-' || (c >= '0' && c <= '9'))
            state = NUMBER;
        else if (c >= 'a' && c <= 'z')
            state = NAME;
        else if (c == '{' || c == '[') {
            if (depth == DEPTH)
                return -1;
            open = open << 1 | (c == '{' ? 1u : 0u);
            depth++;
            count++;
        } else if (c == '}' || c == ']') {
            if (depth == 0)
                return -1;
            if ((open & 1) != (c == '}' ? 1u : 0u))
                return -1;
            open >>= 1;
            depth--;
            count++;
        } else if (c == ',' || c == ':')
            count++;
        else if (c != ' ' && c != '\n')
            return -1;
    }
    return count;
}
