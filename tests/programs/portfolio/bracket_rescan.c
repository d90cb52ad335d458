/* Finds links like [text](place): from every [ it looks for the ] of the same depth and for ( after it, and where there is
   none it goes on with the next character: n^2. Worst: brackets that open and find no place. */
#include <stdint.h>

static int link_at(const uint8_t *s, int from, int n) {
    int depth = 0, at = from;
    for (; at < n; at++) {
        if (s[at] == '\\')
            at++;
        else if (s[at] == '[')
            depth++;
        else if (s[at] == ']' && --depth == 0)
            break;
    }
    if (at + 1 >= n || s[at + 1] != '(')
        return -1;
    for (at += 2; at < n; at++)
        if (s[at] == ')')
            return at;
    return -1;
}

int bracket_rescan(const uint8_t *s, int n) {
    int links = 0;
    for (int i = 0; i < n; i++) {
        if (s[i] != '[')
            continue;
        int end = link_at(s, i, n);
        if (end >= 0) {
            links++;
            i = end;
        }
    }
    return links;
}
