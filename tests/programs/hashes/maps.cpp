// Maps of the standard library: different keys that all go to one bucket, at every size the map has on its way.
#include <cstdint>
#include <unordered_map>

// How many different words there are.
extern "C" int count_words(const uint32_t *keys, int n) {
    std::unordered_map<uint32_t, int> seen;
    for (int i = 0; i < n; i++)
        seen[keys[i]]++;
    return (int)seen.size();
}
