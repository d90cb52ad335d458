// Containers of the C++ library.
#include <map>
#include <string>
#include <unordered_map>
#include <vector>
#include <algorithm>
#include <cstdint>

extern "C" int count_distinct(const int32_t *a, int n) {
    std::map<int32_t, int> seen;
    for (int i = 0; i < n; i++)
        seen[a[i]]++;
    return static_cast<int>(seen.size());
}

extern "C" int count_hashed(const int32_t *a, int n) {
    std::unordered_map<int32_t, int> seen;
    for (int i = 0; i < n; i++)
        seen[a[i]]++;
    return static_cast<int>(seen.size());
}

extern "C" int sort_them(const int32_t *a, int n) {
    std::vector<int32_t> all(a, a + n);
    std::sort(all.begin(), all.end());
    return all.empty() ? 0 : all.front();
}

extern "C" int words(const char *text, int n) {
    std::vector<std::string> found;
    std::string word;
    for (int i = 0; i < n; i++) {
        if (text[i] == ' ') {
            if (!word.empty() && std::find(found.begin(), found.end(), word) == found.end())
                found.push_back(word);
            word.clear();
        } else {
            word += text[i];
        }
    }
    return static_cast<int>(found.size());
}
