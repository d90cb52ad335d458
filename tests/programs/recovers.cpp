// Exceptions that are caught: thrown values of several types, a base class at an offset, cleanups on the way, one thrown again, one let through.
#include <stdexcept>
#include <string>

static int cleanups;

struct Guard {
    ~Guard() { cleanups++; }
};

struct Tagged {
    int tag;
    virtual ~Tagged() {}
};

struct Coded {
    int code;
    explicit Coded(int code) : code(code) {}
    virtual ~Coded() {}
};

struct Refused : Tagged, Coded {
    explicit Refused(int code) : Coded(code) {}
};

static int item(int x) {
    Guard guard;
    if (x == 1) throw Refused(40);
    if (x == 2) throw std::out_of_range("two");
    if (x == 3) throw "three";
    if (x == 4) throw 4u;
    return x;
}

static int middle(int x) {
    Guard guard;
    try {
        return item(x);
    } catch (Coded &coded) {
        coded.code++;
        throw;
    }
}

int every(int x) {
    cleanups = 0;
    try {
        std::string text(20, 'a');
        return middle(x) + 1000;
    } catch (const Coded &coded) {
        return coded.code * 10 + cleanups;
    } catch (const std::logic_error &error) {
        return 500 + error.what()[0] + cleanups;
    } catch (const char *text) {
        return 900 + text[0];
    } catch (...) {
        return -1;
    }
}

int lets_through(int x) {
    try {
        return item(x);
    } catch (const std::exception &) {
        return 5;
    }
}

static int digit(const unsigned char *s, int n, int i) {
    if (i >= n) throw std::runtime_error("end");
    if (s[i] < '0' || s[i] > '9') throw 7;
    return s[i] - '0';
}

// A parser that goes on after what it cannot read.
int parse(const unsigned char *s, int n) {
    int sum = 0;
    for (int i = 0; i < n; i++) {
        try {
            Guard guard;
            sum += digit(s, n, i + 1);
        } catch (const std::exception &error) {
            sum += error.what()[0];
        } catch (int number) {
            sum += number;
        }
    }
    return sum;
}
