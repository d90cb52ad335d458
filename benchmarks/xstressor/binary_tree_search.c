/* Insertion of n keys into an unbalanced binary tree, and a search for one more; from the XSTRESSOR suite.
 * n: the number of keys in the tree (at most 32,768). They and the one sought are unknown 32-bit integers.
 *
 * Counted: the nodes the search looks at.
 * Worst: the tree has become a list, as after rising keys, and what is sought is its last key or lies beyond it: n nodes.
 * Each insertion then walks the whole list, too: n(n - 1)/2 decisions before the search begins.
 *
 * Paths: n! (2n + 1), for a key that is there already is put in once more, on the right. */
#include "slowpath.h"

enum { MOST = 1 << 15 };

struct node {
    int key;
    struct node *left, *right;
};

static struct node pool[MOST];
static int used;
static struct node *root;

static void insert(int key) {
    struct node **place = &root;
    while (*place) {
        struct node *at = *place;
        if (key >= at->key)
            place = &at->right;
        else
            place = &at->left;
    }
    struct node *fresh = &pool[used++];
    fresh->key = key;
    fresh->left = 0;
    fresh->right = 0;
    *place = fresh;
}

static _Bool contains(int key) {
    struct node *at = root;
    while (at) {
        if (at->key == key) /* counted */
            return 1;
        if (at->key < key)
            at = at->right;
        else
            at = at->left;
    }
    return 0;
}

_Bool binary_tree_search(int n) {
    static int32_t keys[MOST];
    used = 0;
    root = 0;
    slowpath_i32_array(keys, n, "keys");
    for (int i = 0; i < n; i++)
        insert(keys[i]);
    return contains(slowpath_i32("sought"));
}
