/* Keys of one word, of 32 and of 64 bits. */
#include "tables.h"

static uint32_t word(const unsigned char *key) {
    uint32_t value;
    memcpy(&value, key, sizeof value);
    return value;
}

static uint64_t long_word(const unsigned char *key) {
    uint64_t value;
    memcpy(&value, key, sizeof value);
    return value;
}

/* Multiplication by the golden ratio, upper bits. */
static uint32_t fibonacci(const unsigned char *key, size_t length) {
    (void)length;
    return word(key) * 2654435769u >> 18;
}

/* The finisher of Murmur 3. */
static uint32_t murmur(const unsigned char *key, size_t length) {
    (void)length;
    uint32_t h = word(key);
    h = (h ^ h >> 16) * 0x85ebca6bu;
    h = (h ^ h >> 13) * 0xc2b2ae35u;
    return h ^ h >> 16;
}

/* The finisher of split-mix, over 64 bits. */
static uint32_t split_mix(const unsigned char *key, size_t length) {
    (void)length;
    uint64_t h = long_word(key);
    h = (h ^ h >> 30) * 0xbf58476d1ce4e5b9u;
    h = (h ^ h >> 27) * 0x94d049bb133111ebu;
    return (uint32_t)(h ^ h >> 31);
}

int chained_fibonacci(const uint32_t *keys, int n) { return chained(fibonacci, (const unsigned char *)keys, 4, n); }
int probed_fibonacci(const uint32_t *keys, int n) { return probed(fibonacci, (const unsigned char *)keys, 4, n); }
int chained_murmur(const uint32_t *keys, int n) { return chained(murmur, (const unsigned char *)keys, 4, n); }
int probed_murmur(const uint32_t *keys, int n) { return probed(murmur, (const unsigned char *)keys, 4, n); }
int chained_split_mix(const uint64_t *keys, int n) { return chained(split_mix, (const unsigned char *)keys, 8, n); }
int probed_split_mix(const uint64_t *keys, int n) { return probed(split_mix, (const unsigned char *)keys, 8, n); }
