/* Division, which can trap in two ways. There is no n: call it as ratio(i32, i32).
 * Paths: 3 (division by zero, the overflow of -2147483648 / -1, and everything else). */
int ratio(int a, int b) { return a / b; }

/* n is the length of the array. A zero anywhere traps; so does -1 once the quotient is -2147483648, which it never becomes
 * from a start of 1000. Paths: n + 1, one of them without a trap. */
int divide_by_all(const int *a, int n) {
    int quotient = 1000;
    for (int i = 0; i < n; i++)
        quotient = quotient / a[i];
    return quotient;
}
