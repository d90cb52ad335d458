// Bills in a vector: a positive amount adds one, any other settles the oldest by erasing the first: n^2, but moving the rest is
// so cheap that some hundred amounts look linear. Worst: bills first, then settlements.
#include <vector>

namespace till {

int close(const int *amounts, int n) {
    std::vector<int> open;
    int checksum = 0;
    for (int i = 0; i < n; i++) {
        for (int digit = 0; digit < 8; digit++)
            checksum = checksum * 31 + (amounts[i] >> digit & 1);
        if (amounts[i] > 0)
            open.push_back(amounts[i]);
        else if (!open.empty())
            open.erase(open.begin());
    }
    return checksum + static_cast<int>(open.size());
}

} // namespace till
