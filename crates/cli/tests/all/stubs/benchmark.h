/* As much of Google Benchmark as the exported benchmark uses: runs everything once. */
#pragma once
#include <cstdint>
#include <cstdio>
#include <vector>

namespace benchmark {

class State {
  public:
    explicit State(int64_t n) : n_(n) {}
    struct Once {
        bool left;
        bool operator!=(const Once &) const { return left; }
        void operator++() { left = false; }
        struct [[maybe_unused]] Value {};
        Value operator*() const { return {}; }
    };
    Once begin() { return {true}; }
    Once end() { return {false}; }
    int64_t range(int) const { return n_; }
    void PauseTiming() {}
    void ResumeTiming() {}

  private:
    int64_t n_;
};

struct Case {
    const char *name;
    void (*run)(State &);
    std::vector<int64_t> sizes;
    Case *Arg(int64_t n) {
        sizes.push_back(n);
        return this;
    }
};

inline std::vector<Case *> &cases() {
    static std::vector<Case *> all;
    return all;
}

inline Case *add(const char *name, void (*run)(State &)) {
    cases().push_back(new Case{name, run, {}});
    return cases().back();
}

inline int run_all() {
    for (Case *one : cases())
        for (int64_t n : one->sizes) {
            std::printf("%s/%lld\n", one->name, (long long)n);
            std::fflush(stdout);
            State state(n);
            one->run(state);
        }
    return 0;
}

} // namespace benchmark

#define BENCHMARK(f) [[maybe_unused]] static benchmark::Case *case_##f = benchmark::add(#f, f)
#define BENCHMARK_MAIN() \
    int main() { return benchmark::run_all(); }
