/* Search in an unbalanced binary search tree, from the WISE suite.
 * n: the number of unknown keys. The first n - 1 are inserted as a set-up, each value once; the search for the last is
 * measured.
 *
 * Worst: the tree has become a list, as after rising keys, and the key sought lies beyond its end: n - 1 levels of three
 * tests (is there a node, is it the key, is it smaller), and one last test for a node.
 *
 * Paths: the weak orders of n keys (1, 3, 13, 75, 541, ... 102247563 at 10), since every comparison tells less, equal and
 * greater apart. The same as the table up to 5; its 102247562 at 10 is one off the number of weak orders of ten things.
 * The `longest` row, 3(n - 1) + 1, is our count of branches. */
#include "slowpath.h"

enum { MOST = 2048 };

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

static void insert(int key) {
    struct node **place = &root;
    while (*place) {
        struct node *at = *place;
        if (at->key < key)
            place = &at->right;
        else if (at->key > key)
            place = &at->left;
        else
            return;
    }
    *place = make(key);
}

static int contains(int key) {
    struct node *at = root;
    while (at) {
        if (at->key == key)
            return 1;
        if (at->key < key)
            at = at->right;
        else
            at = at->left;
    }
    return 0;
}

int binary_search_tree_search(int n) {
    static int32_t keys[MOST];
    used = 0;
    root = 0;
    slowpath_i32_array(keys, n, "keys");
    for (int i = 0; i + 1 < n; i++)
        insert(keys[i]);
    slowpath_begin();
    int found = contains(keys[n - 1]);
    slowpath_end();
    return found;
}
