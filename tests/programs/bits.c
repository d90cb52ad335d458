/* A byte-level parser with a switch: counts the tokens of a tiny expression language. n is the number of bytes.
 * Decisions are on single bytes; a run of backslashes is one token.
 * Paths: 7, 43, 265, 1663. A byte is a space, an opening or closing bracket, an operator, a backslash, or anything else, where
 * anything else is two paths: the compiler makes the switch a tree of comparisons, first at most ')' or not. */
enum { TOO_DEEP = -1, UNBALANCED = -2 };

int tokens(const unsigned char *s, int n) {
    int count = 0;
    int depth = 0;
    int i = 0;
    while (i < n) {
        switch (s[i]) {
        case ' ':
            i++;
            break;
        case '(':
            if (++depth > 8)
                return TOO_DEEP;
            i++;
            break;
        case ')':
            if (--depth < 0)
                return UNBALANCED;
            i++;
            break;
        case '+':
        case '*':
            count++;
            i++;
            break;
        case '\\':
            count++;
            while (i < n && s[i] == '\\')
                i++;
            break;
        default:
            count++;
            i++;
            break;
        }
    }
    return depth == 0 ? count : UNBALANCED;
}
