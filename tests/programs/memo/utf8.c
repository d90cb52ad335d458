/* Whether bytes are UTF-8: overlong forms, surrogates and numbers past U+10FFFF are refused. A byte that is wrong is
   skipped, and the next one begins afresh. */

int utf8_errors(const unsigned char *s, int n) {
    int errors = 0, left = 0;
    unsigned char low = 0x80, high = 0xbf;
    for (int i = 0; i < n; i++) {
        unsigned char c = s[i];
        if (left > 0) {
            if (c < low || c > high) {
                errors++;
                left = 0;
            } else {
                left--;
            }
            low = 0x80;
            high = 0xbf;
            continue;
        }
        if (c < 0x80)
            continue;
        if (c < 0xc2 || c > 0xf4) {
            errors++;
            continue;
        }
        if (c < 0xe0) {
            left = 1;
        } else if (c < 0xf0) {
            left = 2;
            if (c == 0xe0)
                low = 0xa0;
            if (c == 0xed)
                high = 0x9f;
        } else {
            left = 3;
            if (c == 0xf0)
                low = 0x90;
            if (c == 0xf4)
                high = 0x8f;
        }
    }
    return errors + (left > 0);
}
