/* A checksum by table over a stream with frames: a byte that marks the end of a frame starts the sum afresh, an escaped byte is
   changed before it is added. */

static unsigned table[256];
static unsigned last;

static void make_table(void) {
    for (unsigned i = 0; i < 256; i++) {
        unsigned r = i;
        for (int k = 0; k < 8; k++)
            r = (r & 1) ? r >> 1 ^ 0xedb88320u : r >> 1;
        table[i] = r;
    }
}

unsigned checksum(const unsigned char *s, int n) {
    unsigned crc = 0xffffffffu, frames = 0, escaped = 0;
    make_table();
    for (int i = 0; i < n; i++) {
        unsigned char c = s[i];
        if (escaped) {
            c ^= 0x20;
            escaped = 0;
        } else if (c == 0x7d) {
            escaped = 1;
            continue;
        } else if (c == 0x7e) {
            last = crc;
            crc = 0xffffffffu;
            frames++;
            continue;
        }
        crc = crc >> 8 ^ table[(crc ^ c) & 0xff];
    }
    return crc ^ frames;
}
