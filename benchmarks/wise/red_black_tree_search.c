/* Search in a red-black tree, from the WISE suite.
 * n: the number of unknown keys in the tree. They are inserted as a set-up; one more unknown key is then searched for, and
 * only that search is measured. Equal keys are kept, to the right of those that were there before.
 *
 * Worst: the tree is as high as a red-black tree of n nodes can be, and the key sought would be a child of its deepest node:
 * rising keys, then a key above them all. A tree of height h needs 2^(h/2 + 1) - 2 nodes if h is even and 3 * 2^((h - 1)/2)
 * - 2 if it is odd, and rising keys reach every height with the fewest nodes possible.
 *
 * Paths: n! (2n + 1), for n! ways to insert and 2n + 1 places for the key sought, at a key or between two: 3, 10, 42, 216,
 * 1320. The same as the table.
 * The `longest` row (4, 7, 7, 10, 10, ... 25 at 30) is our count of branches, 3h + 1: each level asks whether there is a
 * node, whether it has the key, and which way to go. */
#include "slowpath.h"

enum { MOST = 2048 };

struct node {
    int key;
    _Bool red;
    struct node *parent, *left, *right;
};

static struct node pool[MOST];
static int used;
static struct node *root;

/* Puts `below` where `above` hangs, in the eyes of its parent. */
static void replace(struct node *above, struct node *below) {
    below->parent = above->parent;
    if (above->parent == 0)
        root = below;
    else if (above == above->parent->left)
        above->parent->left = below;
    else
        above->parent->right = below;
}

static void rotate_left(struct node *at) {
    struct node *up = at->right;
    at->right = up->left;
    if (up->left)
        up->left->parent = at;
    replace(at, up);
    up->left = at;
    at->parent = up;
}

static void rotate_right(struct node *at) {
    struct node *up = at->left;
    at->left = up->right;
    if (up->right)
        up->right->parent = at;
    replace(at, up);
    up->right = at;
    at->parent = up;
}

/* Restores the rule that no red node has a red child, from `at` upwards. */
static void repair(struct node *at) {
    while (at != root && at->parent->red) {
        struct node *parent = at->parent;
        struct node *grand = parent->parent;
        _Bool on_left = parent == grand->left;
        struct node *uncle = on_left ? grand->right : grand->left;
        if (uncle && uncle->red) {
            parent->red = 0;
            uncle->red = 0;
            grand->red = 1;
            at = grand;
        } else if (on_left) {
            if (at == parent->right) {
                at = parent;
                rotate_left(at);
            }
            at->parent->red = 0;
            grand->red = 1;
            rotate_right(grand);
        } else {
            if (at == parent->left) {
                at = parent;
                rotate_right(at);
            }
            at->parent->red = 0;
            grand->red = 1;
            rotate_left(grand);
        }
    }
    root->red = 0;
}

static void insert(int key) {
    struct node *parent = 0;
    struct node **place = &root;
    while (*place) {
        parent = *place;
        if (key < parent->key)
            place = &parent->left;
        else
            place = &parent->right;
    }
    struct node *fresh = &pool[used++];
    fresh->key = key;
    fresh->red = 1;
    fresh->parent = parent;
    fresh->left = 0;
    fresh->right = 0;
    *place = fresh;
    repair(fresh);
}

static struct node *search(struct node *at, int key) {
    if (at == 0 || key == at->key)
        return at;
    if (key < at->key)
        return search(at->left, key);
    return search(at->right, key);
}

int red_black_tree_search(int n) {
    static int32_t keys[MOST];
    used = 0;
    root = 0;
    slowpath_i32_array(keys, n, "keys");
    for (int i = 0; i < n; i++)
        insert(keys[i]);
    int32_t sought = slowpath_i32("sought");
    slowpath_begin();
    struct node *found = search(root, sought);
    slowpath_end();
    return found != 0;
}
