/* Counts the triangles with whole sides up to n: n^3, without any input. */
int triangles(int n) {
    int count = 0;
    for (int a = 1; a <= n; a++)
        for (int b = a; b <= n; b++)
            for (int c = b; c <= n; c++)
                if (a + b > c)
                    count++;
    return count;
}
