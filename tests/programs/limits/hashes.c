/* Programs whose conditions are hard for solvers: hashes, tables, generators of random numbers. */
#include <stdint.h>
#include <stdlib.h>

/* FNV-1a over n bytes: one path more where the hash ends in zeros. */
int fnv(const uint8_t *text, int n) {
    uint32_t hash = 2166136261u;
    for (int i = 0; i < n; i++)
        hash = (hash ^ text[i]) * 16777619u;
    return (hash & 0xfff) == 0 ? 1 : (hash >> 20) == 77 ? 2 : 0;
}

/* A chained hash table: n keys put in, each after a walk along its chain. */
struct entry { uint32_t key; struct entry *next; };

static uint32_t mix(uint32_t x) {
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ x >> 16;
}

int chained(const uint32_t *keys, int n) {
    struct entry *buckets[16] = {0};
    int steps = 0;
    for (int i = 0; i < n; i++) {
        struct entry **at = &buckets[mix(keys[i]) % 16];
        while (*at && (*at)->key != keys[i]) {
            at = &(*at)->next;
            steps++;
        }
        if (!*at) {
            *at = malloc(sizeof **at);
            (*at)->key = keys[i];
            (*at)->next = 0;
        }
    }
    return steps;
}

/* Linear probing in a table of 64. */
int probing(const uint32_t *keys, int n) {
    static uint32_t table[64];
    int steps = 0;
    for (int i = 0; i < n && i < 60; i++) {
        uint32_t at = (keys[i] * 2654435769u) >> 26;
        while (table[at] && table[at] != keys[i]) {
            at = (at + 1) % 64;
            steps++;
        }
        table[at] = keys[i];
    }
    return steps;
}

/* A linear congruential generator, n steps from an unknown seed. */
int generator(uint64_t seed, int n) {
    int odd = 0;
    for (int i = 0; i < n; i++) {
        seed = seed * 6364136223846793005ull + 1442695040888963407ull;
        if ((seed >> 33) % 3 == 1)
            odd++;
    }
    return odd;
}

/* Two factors of a number. */
int factors(uint64_t a, uint64_t b) {
    if (a > 1 && b > 1 && a < (1ull << 31) && b < (1ull << 31) && a * b == 1000000016000000063ull)
        return 1;
    return 0;
}

/* CRC-32, bit by bit. */
int crc(const uint8_t *text, int n) {
    uint32_t crc = ~0u;
    for (int i = 0; i < n; i++) {
        crc ^= text[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc & 1 ? crc >> 1 ^ 0xedb88320u : crc >> 1;
    }
    return crc == 0xcafebabeu;
}
