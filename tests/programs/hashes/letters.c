/* Two keys of four letters each in five buckets: few enough to be explored to the end. */
#include <stdint.h>
#include <string.h>

#define BUCKETS 5
#define LETTERS 4

static uint32_t hash(const char *key) {
    uint32_t h = 0;
    for (int i = 0; i < LETTERS; i++)
        h = h * 31 + (unsigned char)key[i];
    return h;
}

static uint32_t fnv(const char *key) {
    uint32_t h = 2166136261u;
    for (int i = 0; i < LETTERS; i++)
        h = (h ^ (unsigned char)key[i]) * 16777619u;
    return h;
}

static int insert_all(uint32_t (*of)(const char *), const char *keys, int n) {
    int first[BUCKETS], next[16], steps = 0;
    for (int i = 0; i < BUCKETS; i++)
        first[i] = -1;
    for (int i = 0; i < n && i < 16; i++) {
        const char *key = keys + i * LETTERS;
        uint32_t bucket = of(key) % BUCKETS;
        int at = first[bucket];
        while (at >= 0 && memcmp(keys + at * LETTERS, key, LETTERS) != 0) {
            at = next[at];
            steps++;
        }
        if (at >= 0)
            continue;
        next[i] = first[bucket];
        first[bucket] = i;
    }
    return steps;
}

int insert_31(const char *keys, int n) { return insert_all(hash, keys, n); }
int insert_fnv(const char *keys, int n) { return insert_all(fnv, keys, n); }
