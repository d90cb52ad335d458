/* The regular expression (a|b)*a(b|c)(a|c)b*, simulated with a set of states: for each byte every state that is in the set is
   looked at. */

#define STATES 5

static const struct { unsigned char from, byte, to; } edges[] = {
    {0, 'a', 0}, {0, 'b', 0}, {0, 'a', 1}, {1, 'b', 2}, {1, 'c', 2}, {2, 'a', 3}, {2, 'c', 3}, {3, 'b', 4}, {4, 'b', 4},
};
#define EDGES 9

int matches(const unsigned char *s, int n) {
    unsigned now = 1;
    for (int i = 0; i < n && now != 0; i++) {
        unsigned next = 0;
        for (int k = 0; k < EDGES; k++)
            if (now >> edges[k].from & 1)
                if (s[i] == edges[k].byte)
                    next |= 1u << edges[k].to;
        now = next;
    }
    return (now >> 3 & 1) || (now >> 4 & 1);
}
