// Functions as an ordinary developer has them.
#include <string>

// Runs of spaces become one.
std::string squeeze(const std::string &text) {
    std::string out;
    for (char c : text) {
        if (c == ' ' && !out.empty() && out.back() == ' ')
            out.erase(out.size() - 1);
        out += c;
    }
    return out;
}
