/* A check that a new password was not used before, from the SPF-WCA suite, with k = 32: its hash is compared with those of
 * the last n passwords.
 * n: the number of stored hashes. Each is K = 32 unknown bytes, and so is the hash of the new password.
 *
 * Worst: every stored hash agrees with the new one in all but the last byte, so that none is equal and each comparison goes
 * to its end: n * 32 decisions. Whether two bytes differ must be answered no 31 times and then yes, by a policy that
 * remembers.
 *
 * Paths: P(n) = 1 + 32 P(n - 1), for the first stored hash is equal, which ends the check, or differs first at one of 32
 * places: 33, 1057, 33825. The same as the table. */
enum { K = 32 };

typedef unsigned char byte;

static int same_hash(const byte *a, const byte *b) {
    for (int i = 0; i < K; i++) {
        if (a[i] != b[i])
            return 0;
    }
    return 1;
}

int password_checker(const byte *stored, const byte *fresh, int n) {
    for (int i = 0; i < n; i++) {
        if (same_hash(&stored[i * K], fresh))
            return 0;
    }
    return 1;
}
