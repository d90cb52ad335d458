/* Hash tables of 128 places that look for every key before they take it. The worst case is known: different keys that all go to
   one place, n (n - 1) / 2 comparisons. What differs is the hash function, and what a key is. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define PLACES 128
#define MOST 4096

typedef uint32_t (*hash_of)(const unsigned char *key, size_t length);

/* Chains: every place has a list of entries, newest first. */
static inline int chained(hash_of hash, const unsigned char *keys, size_t width, int n) {
    static const unsigned char *entry[MOST];
    static int next[MOST];
    int first[PLACES], used = 0, steps = 0;
    for (int i = 0; i < PLACES; i++)
        first[i] = -1;
    for (int i = 0; i < n && used < MOST; i++) {
        const unsigned char *key = keys + (size_t)i * width;
        uint32_t place = hash(key, width) % PLACES;
        int at = first[place];
        while (at >= 0 && memcmp(entry[at], key, width) != 0) {
            at = next[at];
            steps++;
        }
        if (at >= 0)
            continue;
        entry[used] = key;
        next[used] = first[place];
        first[place] = used++;
    }
    return steps;
}

/* Open addressing: what finds its place taken goes on to the next one. Never more than half full. */
static inline int probed(hash_of hash, const unsigned char *keys, size_t width, int n) {
    static const unsigned char *entry[2 * MOST];
    uint32_t places = PLACES;
    while (places < 2 * (uint32_t)n && places < 2 * MOST)
        places *= 2;
    int steps = 0;
    for (uint32_t i = 0; i < places; i++)
        entry[i] = NULL;
    for (int i = 0; i < n && i < MOST; i++) {
        const unsigned char *key = keys + (size_t)i * width;
        uint32_t at = hash(key, width) % places;
        while (entry[at] != NULL && memcmp(entry[at], key, width) != 0) {
            at = (at + 1) % places;
            steps++;
        }
        entry[at] = key;
    }
    return steps;
}
