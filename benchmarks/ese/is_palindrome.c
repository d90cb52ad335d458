/* Does the list read the same backwards? From the ESE suite.
 * n: the length of the list. Every element is an unknown 32-bit integer; only equality is asked.
 *
 * Worst: a palindrome. The loop goes over the whole list, not half of it, as in the paper; its second half asks again what
 * is known by then, and cannot fail.
 *
 * Paths: n / 2 + 1 (rounded down): a first difference at one of n / 2 pairs, or none.
 * The paper's worst case executes 2n + 2 lines. */
_Bool is_palindrome(const int *list, int n) {
    for (int i = 0; i < n; i++) {
        if (list[i] != list[n - 1 - i])
            return 0;
    }
    return 1;
}
