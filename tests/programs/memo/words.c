/* Words of a text, and the longest run of blanks counted apart: what is kept of the bytes seen is one flag. */

int words(const unsigned char *text, int n) {
    int count = 0, inside = 0;
    for (int i = 0; i < n; i++) {
        if (text[i] == ' ' || text[i] == '\n' || text[i] == '\t') {
            inside = 0;
        } else if (!inside) {
            inside = 1;
            count++;
        }
    }
    return count;
}
