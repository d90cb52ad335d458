/* Insertion into a sorted linked list, from the WISE suite.
 * n: the number of unknown keys. The first n - 1 are put into the list as a set-up; the last insertion is measured.
 *
 * Worst: the last key is larger than all others and walks past every one of them: n comparisons, the n-th with the sentinel
 * INT32_MAX that ends the list, which no key exceeds.
 *
 * Paths: n! (1, 2, 6, 24, 120), the ways the n keys can be ordered; a key goes before those equal to it. The same as the
 * table. The SPF-WCA paper notes that the two papers disagree on what n is; counting all keys, the measured one included, is
 * what gives the table's counts in both. The `longest` row is n + 1; ours is n branches, for the table counts one more. */
#include "slowpath.h"

enum { MOST = 2048 };

struct cell {
    int key;
    struct cell *next;
};

static struct cell pool[MOST];
static int used;
static struct cell *list;

static struct cell *make(int key, struct cell *next) {
    struct cell *fresh = &pool[used++];
    fresh->key = key;
    fresh->next = next;
    return fresh;
}

static void insert(int key) {
    struct cell **place = &list;
    while (key > (*place)->key)
        place = &(*place)->next;
    *place = make(key, *place);
}

void sorted_list_insert(int n) {
    static int32_t keys[MOST];
    used = 0;
    list = make(INT32_MAX, 0);
    slowpath_i32_array(keys, n, "keys");
    for (int i = 0; i + 1 < n; i++)
        insert(keys[i]);
    slowpath_begin();
    insert(keys[n - 1]);
    slowpath_end();
}
