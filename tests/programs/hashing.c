/* A concrete speed benchmark: the FNV-1a hash of n pseudo-random integers, byte by byte. Returns the hash. */
#include <stdint.h>

uint32_t hashing(int32_t n) {
    uint32_t hash = 2166136261u;
    uint32_t random = 1;
    for (int32_t i = 0; i < n; i++) {
        random = random * 1664525u + 1013904223u;
        for (int shift = 0; shift < 32; shift += 8) {
            hash ^= (random >> shift) & 0xff;
            hash *= 16777619u;
        }
    }
    return hash;
}
