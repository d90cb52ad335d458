/* Keys of eight bytes, hashed byte by byte. */
#include "tables.h"

#define WIDTH 8

static uint32_t times_31(const unsigned char *key, size_t length) {
    uint32_t h = 0;
    for (size_t i = 0; i < length; i++)
        h = h * 31 + key[i];
    return h;
}

static uint32_t djb2(const unsigned char *key, size_t length) {
    uint32_t h = 5381;
    for (size_t i = 0; i < length; i++)
        h = h * 33 ^ key[i];
    return h;
}

static uint32_t fnv(const unsigned char *key, size_t length) {
    uint32_t h = 2166136261u;
    for (size_t i = 0; i < length; i++)
        h = (h ^ key[i]) * 16777619u;
    return h;
}

static uint32_t one_at_a_time(const unsigned char *key, size_t length) {
    uint32_t h = 0;
    for (size_t i = 0; i < length; i++) {
        h += key[i];
        h += h << 10;
        h ^= h >> 6;
    }
    h += h << 3;
    h ^= h >> 11;
    return h + (h << 15);
}

int chained_31(const unsigned char *keys, int n) { return chained(times_31, keys, WIDTH, n); }
int probed_31(const unsigned char *keys, int n) { return probed(times_31, keys, WIDTH, n); }
int chained_djb2(const unsigned char *keys, int n) { return chained(djb2, keys, WIDTH, n); }
int probed_djb2(const unsigned char *keys, int n) { return probed(djb2, keys, WIDTH, n); }
int chained_fnv(const unsigned char *keys, int n) { return chained(fnv, keys, WIDTH, n); }
int probed_fnv(const unsigned char *keys, int n) { return probed(fnv, keys, WIDTH, n); }
int chained_one_at_a_time(const unsigned char *keys, int n) { return chained(one_at_a_time, keys, WIDTH, n); }
int probed_one_at_a_time(const unsigned char *keys, int n) { return probed(one_at_a_time, keys, WIDTH, n); }
