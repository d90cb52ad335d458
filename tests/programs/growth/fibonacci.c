/* The Fibonacci numbers as they are defined, without a table: 1.62^n, without any input. */
int fibonacci(int n) {
    if (n < 2)
        return n;
    return fibonacci(n - 1) + fibonacci(n - 2);
}
