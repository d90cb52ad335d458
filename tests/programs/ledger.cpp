// Balances of accounts, in the manner of C++: a template, a class with a static object, a container and an exception.
#include <algorithm>
#include <stdexcept>
#include <vector>

namespace ledger {

struct Limits {
    int most;
    Limits() : most(1000000) {}
};

static Limits limits;

// Inserts every amount where it belongs: quadratic for amounts that fall.
template <typename T> int sorted_copy(const T *amounts, int n) {
    std::vector<T> sorted;
    int moved = 0;
    for (int i = 0; i < n; i++) {
        auto place = std::upper_bound(sorted.begin(), sorted.end(), amounts[i]);
        moved += static_cast<int>(sorted.end() - place);
        sorted.insert(place, amounts[i]);
    }
    return moved;
}

int settle(const int *amounts, int n) {
    return sorted_copy(amounts, n);
}

int check(const int *amounts, int n) {
    for (int i = 0; i < n; i++)
        if (amounts[i] > limits.most)
            throw std::out_of_range("too much");
    return n;
}

} // namespace ledger
