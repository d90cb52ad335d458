/* What C programs pass around: lists, ranges between two pointers, pointers that are moved along, options behind structs. */

struct node {
    int key;
    struct node *next;
};

/* Quadratic: every pair of elements. */
int duplicates(const struct node *list) {
    int found = 0;
    for (const struct node *a = list; a; a = a->next)
        for (const struct node *b = a->next; b; b = b->next)
            if (a->key == b->key)
                found++;
    return found;
}

/* The place of a key in a sorted list. */
int place(struct node **head, int key) {
    int steps = 0;
    while (*head && (*head)->key < key) {
        head = &(*head)->next;
        steps++;
    }
    return steps;
}

typedef struct ring {
    struct ring *prev, *next, *owner;
    unsigned char mark : 1;
    short weight;
} ring;

/* Both ways along a list. */
int there_and_back(ring *at) {
    int steps = 0;
    while (at && at->next) {
        at = at->next;
        steps++;
    }
    while (at && at->prev) {
        at = at->prev;
        if (at->weight > 0)
            steps++;
    }
    return steps;
}

struct item {
    struct item *next, *prev, *child;
    int value;
};

/* How many of an item's children have a value that another has too. */
int repeated(const struct item *item) {
    int found = 0;
    for (const struct item *a = item->child; a; a = a->next)
        for (const struct item *b = item->child; b != a; b = b->next)
            if (a->value == b->value) {
                found++;
                break;
            }
    return found;
}

int above(const int *first, const int *last) {
    int found = 0;
    for (; first != last; first++)
        if (*first > 2)
            found++;
    return found;
}

int blanks(const char **at) {
    int skipped = 0;
    for (; **at == ' '; (*at)++)
        skipped++;
    return skipped;
}

long number(const char *s, char **endp) {
    long value = 0;
    for (; *s >= '0' && *s <= '9'; s++)
        value = value * 10 + (*s - '0');
    *endp = (char *)s;
    return value;
}

typedef int my_bool;
struct options {
    int width;
};

int with_options(struct options *options, unsigned char more, my_bool strict) { return options->width > more && strict; }

struct table {
    int max, cur;
    struct node **entry;
};

/* How many of the structs that a table points to have this key. */
int count_in(struct table *t, int key) {
    int found = 0;
    for (int i = 0; i < t->cur; i++)
        if (t->entry[i]->key == key) found++;
    return found;
}
