/* A search in an unbalanced binary search tree. n is the number of unknown keys: n - 1 are inserted, then the last is looked
 * up, and only the look-up is measured. Equal keys are kept once.
 * Paths: the weak orders of n keys (1, 3, 13, 75, 541), because each comparison tells less, equal and greater apart.
 * Worst: keys inserted in rising or falling order, so that the tree is a list; n - 1 steps. */
#include "slowpath.h"

enum { MOST = 1024 };

struct node {
    int key;
    struct node *left, *right;
};

static struct node pool[MOST];
static int used;
static struct node *root;

static struct node *make(int key) {
    struct node *fresh = &pool[used++];
    fresh->key = key;
    fresh->left = 0;
    fresh->right = 0;
    return fresh;
}

void bst_insert(int key) {
    struct node **place = &root;
    while (*place) {
        if (key < (*place)->key)
            place = &(*place)->left;
        else if (key > (*place)->key)
            place = &(*place)->right;
        else
            return;
    }
    *place = make(key);
}

int bst_contains(int key) {
    struct node *at = root;
    while (at) {
        if (key == at->key)
            return 1;
        if (key > at->key)
            at = at->right;
        else
            at = at->left;
    }
    return 0;
}

int bst_search(int n) {
    static int32_t keys[MOST];
    used = 0;
    root = 0;
    slowpath_i32_array(keys, n, "keys");
    for (int i = 0; i + 1 < n; i++)
        bst_insert(keys[i]);
    slowpath_begin();
    int found = bst_contains(keys[n - 1]);
    slowpath_end();
    return found;
}
