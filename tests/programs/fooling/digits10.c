/* Reads numbers; one of 10 digits or more is multiplied limb by limb: n^2. In short texts other characters cost more. */
#include <stdint.h>

int digits10(const uint8_t *s, int n) {
    static uint32_t limb[4096];
    int digits = 0, limbs = 0, work = 0;
    for (int i = 0; i < n && i < 4096; i++) {
        if (s[i] < '0' || s[i] > '9') {
            digits = limbs = 0;
            for (int k = 0; k < 7; k++)
                work += s[i] ^ k;
            continue;
        }
        digits++;
        if (digits < 10)
            continue;
        limb[limbs++] = 0;
        uint32_t carry = s[i] - '0';
        for (int k = 0; k < limbs; k++) {
            uint32_t product = limb[k] * 10u + carry;
            limb[k] = product & 15;
            carry = product >> 4;
            for (int r = 0; r < 8; r++)
                work += (int)(limb[k] >> r & 1);
        }
    }
    return work;
}
