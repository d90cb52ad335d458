/* A move-to-front coder over all bytes, with a list of 256: n. Worst: each byte is the last of the list, so 255, 254, ... */
#include <stdint.h>

uint32_t move_to_front(const uint8_t *s, int n) {
    uint8_t list[256];
    uint32_t code = 0;
    for (int i = 0; i < 256; i++)
        list[i] = (uint8_t)i;
    for (int i = 0; i < n; i++) {
        int at = 0;
        while (list[at] != s[i])
            at++;
        code = code * 31 + (uint32_t)at;
        for (; at > 0; at--)
            list[at] = list[at - 1];
        list[0] = s[i];
    }
    return code;
}
