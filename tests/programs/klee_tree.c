/* A harness in KLEE's words, and one in those of SV-COMP: both search a sorted array for an unknown key. */
#include "klee/klee.h"

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

static int search(const int *a, int n, int key) {
    for (int i = 0; i < n; i++)
        if (a[i] >= key)
            return i;
    return n;
}

int klee_harness(int n) {
    int a[16];
    klee_make_symbolic(a, n * sizeof a[0], "a");
    for (int i = 1; i < n; i++)
        klee_assume(a[i - 1] < a[i]);
    int key = klee_range(0, 10, "key");
    klee_assert(key >= 0 && key < 10);
    return search(a, n, key);
}

int main(void) {
    int a[3];
    for (int i = 0; i < 3; i++)
        a[i] = __VERIFIER_nondet_int();
    __VERIFIER_assume((a[0] < a[1]) & (a[1] < a[2]));
    return search(a, 3, __VERIFIER_nondet_int());
}
