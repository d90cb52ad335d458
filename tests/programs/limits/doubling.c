/* Each sum is twice the one before: its parts share parts, and it has more paths from the top to the bottom than terms. */
int f(unsigned *a, int n) {
    int s = 0;
    for (int i = 0; i < n; i++) {
        int x = (int)a[i], y = i > 0 ? (int)a[i - 1] : n;
        s += (2 < s ? x : y) + s;
    }
    return s;
}
