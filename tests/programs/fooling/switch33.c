/* Sorts by counting below 33 elements, which is linear, and by exchanging neighbours from there on: n^2. Worst: falling. */
#include <stdint.h>

void switch33(uint8_t *a, int n) {
    if (n < 33) {
        int count[16] = {0}, at = 0;
        for (int i = 0; i < n; i++)
            count[a[i] & 15]++;
        for (int value = 0; value < 16; value++)
            for (; count[value] > 0; count[value]--)
                a[at++] = (uint8_t)value;
        return;
    }
    for (int swapped = 1; swapped;) {
        swapped = 0;
        for (int i = 1; i < n; i++)
            if (a[i - 1] > a[i]) {
                uint8_t held = a[i];
                a[i] = a[i - 1];
                a[i - 1] = held;
                swapped = 1;
            }
    }
}
