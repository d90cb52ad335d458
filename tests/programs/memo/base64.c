/* Decoding base64: blanks are skipped, padding ends a group of four, and what is neither is an error. The last group is kept,
   and handed on when it is full. */

static unsigned char group[3];
static int bytes;

int decode(const unsigned char *s, int n) {
    int have = 0, padding = 0;
    unsigned bits = 0;
    bytes = 0;
    for (int i = 0; i < n; i++) {
        unsigned char c = s[i];
        unsigned value;
        if (c == ' ' || c == '\n')
            continue;
        if (c == '=') {
            if (have < 2)
                return -1;
            padding++;
            have++;
            bits <<= 6;
        } else {
            if (padding)
                return -1;
            if (c >= 'A' && c <= 'Z')
                value = c - 'A';
            else if (c >= 'a' && c <= 'z')
                value = c - 'a' + 26;
            else if (c >= '0' && c <= '9')
                value = c - '0' + 52;
            else if (c == '+')
                value = 62;
            else if (c == '/')
                value = 63;
            else
                return -1;
            bits = bits << 6 | value;
            have++;
        }
        if (have == 4) {
            group[0] = (unsigned char)(bits >> 16);
            group[1] = (unsigned char)(bits >> 8);
            group[2] = (unsigned char)bits;
            bytes += 3 - padding;
            have = 0;
            bits = 0;
        }
    }
    return have == 0 ? bytes : -1;
}
