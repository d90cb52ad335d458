/* Writes text with quotes escaped through a buffer of 16; when it is full, it is summed and sent: n. Worst: all quotes. */
#include <stdint.h>

int escape16(const uint8_t *s, int n) {
    uint8_t out[18];
    int used = 0, work = 0;
    for (int i = 0; i < n; i++) {
        if (s[i] == '"') {
            out[used++] = '\\';
            out[used++] = '"';
        } else {
            for (int k = 0; k < 3; k++)
                work += s[i] >> k;
            out[used++] = s[i];
        }
        if (used >= 16) {
            for (int x = 0; x < used; x++)
                for (int y = 0; y < used; y++)
                    work = work * 5 + out[y];
            used = 0;
        }
    }
    return work;
}
