/* Multiplication of two boolean matrices, from the XSTRESSOR suite.
 * n: rows and columns (at most 256). All 2n*n elements are unknown; each is 0 or 1 by the signature.
 *
 * An element of the product is the OR of n ANDs, and the sum ends at the first AND that is true.
 * Counted: the ANDs.
 * Worst: no AND is ever true: n*n*n. Matrices of zeros do it. So does any pair whose product is zero; in branches and
 * instructions the worst of these is a first matrix of ones with a second of zeros, as both sides of each AND are read.
 *
 * Paths: 3, 121, 73515. */
enum { MOST = 256 };

static _Bool product[MOST * MOST];

void boolean_matrix_multiplication(const _Bool *a, const _Bool *b, int n) {
    for (int row = 0; row < n; row++)
        for (int column = 0; column < n; column++) {
            _Bool any = 0;
            for (int k = 0; k < n; k++) {
                if (a[row * n + k] && b[k * n + column]) { /* counted */
                    any = 1;
                    break;
                }
            }
            product[row * n + column] = any;
        }
}
