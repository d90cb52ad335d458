/* Look-up in a B-tree that indexes records by number, from the SPF-WCA suite (LAWDB).
 * n: the number of unknown keys in the tree, inserted as a set-up, each value once. One more unknown key is then looked for,
 * and only that look-up is measured.
 *
 * Nodes have 1 to 3 keys, searched from the left; full nodes are split on the way down. The original's have up to 19, but
 * then a tree of a size that can be explored exhaustively is a single node, and nothing about its height can be learned.
 *
 * Worst: a high tree with many keys in the nodes on the way, and a key sought that is larger than them all. Rising keys,
 * then one above them, cost 5, 7, 9, 12, 14, 14, 16, 16 branches for n = 1..8, which is the most there is; at n = 14, 18 and
 * 30 cleverer orders are known that cost one or two more.
 *
 * Paths: the weak orders of n + 1 keys (3, 13, 75, 541, 4683), since every comparison tells less, equal and greater apart.
 * The table has 541 in the column of 4; its other cells are lost. */
#include "slowpath.h"

enum { MOST = 2048, LEAST = 2, FULL = 2 * LEAST - 1 };

struct node {
    int count;
    _Bool leaf;
    int keys[FULL];
    struct node *children[FULL + 1];
};

static struct node pool[MOST];
static int used;
static struct node *root;

static struct node *make(_Bool leaf) {
    struct node *fresh = &pool[used++];
    fresh->count = 0;
    fresh->leaf = leaf;
    return fresh;
}

static int contains(int key) {
    struct node *at = root;
    int i;
    for (;;) {
        i = 0;
        while (i < at->count) {
            if (key <= at->keys[i])
                break;
            i++;
        }
        if (i < at->count && key == at->keys[i])
            return 1;
        if (at->leaf)
            return 0;
        at = at->children[i];
    }
}

/* Splits the full child `i` of a node that is not full: its middle key moves up, those above it to a new right neighbour. */
static void split_child(struct node *parent, int i) {
    struct node *left = parent->children[i];
    struct node *right = make(left->leaf);
    right->count = LEAST - 1;
    left->count = LEAST - 1;
    for (int k = 0; k < LEAST - 1; k++)
        right->keys[k] = left->keys[k + LEAST];
    for (int k = 0; k < LEAST; k++)
        right->children[k] = left->children[k + LEAST];
    for (int k = parent->count; k > i; k--) {
        parent->keys[k] = parent->keys[k - 1];
        parent->children[k + 1] = parent->children[k];
    }
    parent->keys[i] = left->keys[LEAST - 1];
    parent->children[i + 1] = right;
    parent->count++;
}

static void insert_below(struct node *at, int key) {
    int i = at->count;
    if (at->leaf) {
        while (i > 0) {
            if (key > at->keys[i - 1])
                break;
            at->keys[i] = at->keys[i - 1];
            i--;
        }
        at->keys[i] = key;
        at->count++;
        return;
    }
    while (i > 0) {
        if (key > at->keys[i - 1])
            break;
        i--;
    }
    if (at->children[i]->count == FULL) {
        split_child(at, i);
        if (key > at->keys[i])
            i++;
    }
    insert_below(at->children[i], key);
}

static void insert(int key) {
    if (contains(key))
        return;
    if (root->count == FULL) {
        struct node *higher = make(0);
        higher->children[0] = root;
        root = higher;
        split_child(higher, 0);
    }
    insert_below(root, key);
}

int b_tree(int n) {
    static int32_t keys[MOST];
    used = 0;
    root = make(1);
    slowpath_i32_array(keys, n, "keys");
    for (int i = 0; i < n; i++)
        insert(keys[i]);
    int32_t sought = slowpath_i32("sought");
    slowpath_begin();
    int found = contains(sought);
    slowpath_end();
    return found;
}
