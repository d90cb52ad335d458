/* Does a URI name a class, with its packages? The exponential checker that the SPF-WCA paper found in a web log server.
 * n: the number of characters of the URI, each an unknown byte.
 *
 * The checker walks a non-deterministic automaton for ([a-z][a-z.]+)*[A-Z][A-Za-z]* depth first, with a stack of (place,
 * state) pairs and no record of the pairs it has walked before. Inside a package a letter can be read as one more of the
 * same package or as the first of the next, since nothing is needed between two packages: that is the flaw.
 *
 * Worst: lower-case letters only. Both readings of each letter are followed to the end of the URI, and nothing is ever
 * accepted. The steps grow like the Fibonacci numbers, about 1.6^n. In branches the letter z is the worst, for its bisection
 * is longest: 53, 97, 198, 343, 589.
 *
 * Paths: 55, 2213, 114533: a first character is one of 52 letters, or below 'A', or between the cases, or above 'z'; further
 * ones also tell the dot apart where a package may go on. The same as the table.
 * A state's arrows are found by bisection of their characters; the original asks a balanced tree, which tells the same
 * apart. Our automaton has fewer states that only pass on to others. */
#include "slowpath.h"

enum state { PACKAGES, PACKAGE, REST, MORE, CLASS, NAME, LETTER, DONE, STATES };

enum { MOST = 1024, MOST_ARROWS = 52, MOST_SKIPS = 3, MOST_PENDING = 4096 };

typedef uint8_t byte;

struct node {
    int arrows, skips;
    byte on[MOST_ARROWS];
    enum state to[MOST_ARROWS];
    enum state skip_to[MOST_SKIPS];
};

struct pair {
    int place;
    enum state state;
};

static struct node nodes[STATES];
static struct pair stack[MOST_PENDING];
static int pending;

/* A way from one state to another that reads nothing. */
static void skip(enum state from, enum state to) {
    struct node *node = &nodes[from];
    node->skip_to[node->skips++] = to;
}

/* A way that reads one character. Those of a state are added in rising order. */
static void arrow(enum state from, byte on, enum state to) {
    struct node *node = &nodes[from];
    node->on[node->arrows] = on;
    node->to[node->arrows++] = to;
}

static void letters(enum state from, byte first, enum state to) {
    for (int i = 0; i < 26; i++)
        arrow(from, first + i, to);
}

static void build(void) {
    for (int i = 0; i < STATES; i++) {
        nodes[i].arrows = 0;
        nodes[i].skips = 0;
    }
    skip(PACKAGES, CLASS);
    skip(PACKAGES, PACKAGE);
    letters(PACKAGE, 'a', REST);
    arrow(REST, '.', MORE);
    letters(REST, 'a', MORE);
    skip(MORE, REST);
    skip(MORE, CLASS);
    skip(MORE, PACKAGES);
    letters(CLASS, 'A', NAME);
    skip(NAME, DONE);
    letters(NAME, 'A', LETTER);
    letters(NAME, 'a', LETTER);
    skip(LETTER, DONE);
    skip(LETTER, NAME);
}

static void push(int place, enum state state) {
    stack[pending].place = place;
    stack[pending].state = state;
    pending++;
}

/* Which of a state's arrows reads the character, or -1. */
static int find_arrow(const struct node *node, byte character) {
    int low = 0, high = node->arrows - 1, middle;
    while (low <= high) {
        middle = (low + high) / 2;
        if (character == node->on[middle])
            return middle;
        if (character < node->on[middle])
            high = middle - 1;
        else
            low = middle + 1;
    }
    return -1;
}

static int verify(const byte *uri, int n) {
    int place;
    const struct node *node;
    pending = 0;
    push(0, PACKAGES);
    while (pending > 0) {
        pending--;
        place = stack[pending].place;
        node = &nodes[stack[pending].state];
        if (node == &nodes[DONE] && place == n)
            return 1;
        if (place < n) {
            int found = find_arrow(node, uri[place]);
            if (found >= 0)
                push(place + 1, node->to[found]);
        }
        for (int i = 0; i < node->skips; i++)
            push(place, node->skip_to[i]);
    }
    return 0;
}

int uri_verifier(int n) {
    static byte uri[MOST];
    slowpath_u8_array(uri, n, "uri");
    build();
    slowpath_begin();
    int accepted = verify(uri, n);
    slowpath_end();
    return accepted;
}
