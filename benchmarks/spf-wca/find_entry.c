/* Look-up in one bucket of a hash table whose keys all collide; the motivating example of the SPF-WCA paper, with k = 15.
 * n: the number of keys put into the bucket as a set-up. Each key is K = 15 unknown characters. One more unknown key is then
 * looked for, and only that look-up is measured. Putting a key that is there already changes nothing.
 *
 * Worst: the n keys share their first 14 characters and differ in the last, and so does the key sought, which is none of
 * them: every comparison goes to the last character, n * 15 decisions. Whether characters differ must be answered no, no,
 * ... and at the fifteenth time yes, so no policy without memory can say it.
 *
 * Paths: 16, 376, 11656: one key differs from the one sought first at one of 15 places, or nowhere. Two keys are either
 * equal, which is the case of one key, or first differ at place p from 0 to 14, and then there are 31 - p ways. The same as
 * the table.
 * The characters have 16 bits, as in Java: the worst case needs n + 1 different ones. */
#include "slowpath.h"

enum { MOST = 1024, K = 15 };

struct entry {
    const uint16_t *key;
    struct entry *next;
};

static uint16_t keys[MOST * K];
static uint16_t sought[K];
static struct entry pool[MOST];
static struct entry *bucket;
static struct entry **bucket_end;

static int equals(const uint16_t *a, const uint16_t *b) {
    for (int i = 0; i < K; i++) {
        if (a[i] != b[i])
            return 0;
    }
    return 1;
}

static struct entry *find_in_bucket(const uint16_t *key) {
    for (struct entry *at = bucket; at != 0; at = at->next) {
        if (equals(at->key, key))
            return at;
    }
    return 0;
}

static void put(const uint16_t *key, struct entry *fresh) {
    if (find_in_bucket(key))
        return;
    fresh->key = key;
    fresh->next = 0;
    *bucket_end = fresh;
    bucket_end = &fresh->next;
}

int find_entry(int n) {
    bucket = 0;
    bucket_end = &bucket;
    slowpath_u16_array(keys, n * K, "keys");
    slowpath_u16_array(sought, K, "sought");
    for (int i = 0; i < n; i++)
        put(&keys[i * K], &pool[i]);
    slowpath_begin();
    struct entry *found = find_in_bucket(sought);
    slowpath_end();
    return found != 0;
}
