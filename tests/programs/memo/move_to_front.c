/* Move to front: each symbol is sent as its place in a list of those seen last, and moves to the front of it. */

#define SYMBOLS 8

static unsigned char order[SYMBOLS];

int move_to_front(const unsigned char *s, int n) {
    int sum = 0;
    for (int k = 0; k < SYMBOLS; k++)
        order[k] = (unsigned char)k;
    for (int i = 0; i < n; i++) {
        int at = 0;
        while (at < SYMBOLS - 1 && order[at] != s[i])
            at++;
        unsigned char moved = order[at];
        for (int k = at; k > 0; k--)
            order[k] = order[k - 1];
        order[0] = moved;
        sum += at;
    }
    return sum;
}
