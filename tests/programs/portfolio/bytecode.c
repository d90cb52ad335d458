/* A machine of two registers whose program is n letters, for at most 40 n steps: n. Worst: a loop over multiplications.
   i and d count x up and down, m multiplies y by it bit by bit, b goes back to the start unless x is 0, any other halts. */
#include <stdint.h>

uint32_t bytecode(const uint8_t *program, int n) {
    uint32_t x = 0, y = 1;
    int at = 0;
    for (int fuel = 40 * n; fuel > 0 && at < n; fuel--) {
        uint8_t op = program[at++];
        if (op == 'i') {
            x++;
        } else if (op == 'd') {
            if (x > 0)
                x--;
        } else if (op == 'm') {
            uint32_t product = 0;
            for (int bit = 0; bit < 16; bit++)
                product += (x >> bit & 1) * (y << bit);
            y = product;
        } else if (op == 'b') {
            if (x > 0)
                at = 0;
        } else {
            break;
        }
    }
    return y;
}
