/* Digits that repeat what came 7 places before, plus 4: from 10 such in a row on, the row is copied each time: n^2.
   Digits that do not repeat cost more; nothing shows below 17. */
#include <stdint.h>

int echo7(const uint8_t *a, int n) {
    int row = 0, work = 0;
    for (int i = 7; i < n; i++) {
        if (a[i] == (a[i - 7] + 4) % 10) {
            row++;
        } else {
            row = 0;
            for (int k = 0; k < 4; k++)
                work += a[i] ^ k;
        }
        if (row >= 10)
            for (int k = 0; k < 10 * row; k++)
                work += k;
    }
    return work;
}
