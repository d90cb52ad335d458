/* Words made of bytes in several ways. Each function takes bytes, as files and fuzz targets give them. */
#include <stdint.h>

static void sort(int32_t *a, int n) {
    for (int i = 1; i < n; i++)
        for (int j = 0; j < n - 1; j++)
            if (a[j] > a[j + 1]) {
                int32_t t = a[j];
                a[j] = a[j + 1];
                a[j + 1] = t;
            }
}

/* As they lie. */
void sort_cast(unsigned char *bytes, int n) { sort((int32_t *)bytes, n); }

/* The highest byte first, as in files and on wires. */
void sort_big_endian(const unsigned char *bytes, int n) {
    int32_t a[64];
    for (int i = 0; i < n; i++, bytes += 4)
        a[i] = (int32_t)((uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3]);
    sort(a, n);
}

/* Copied byte by byte first. */
void sort_copied(const unsigned char *bytes, int n) {
    int32_t a[64];
    for (int i = 0; i < 4 * n; i++)
        ((unsigned char *)a)[i] = bytes[i];
    sort(a, n);
}

/* Two to a word of eight bytes while they are copied. */
void sort_pairs(const unsigned char *bytes, int n) {
    uint64_t a[32];
    for (int i = 0; i < n / 2; i++)
        a[i] = ((const uint64_t *)bytes)[i];
    sort((int32_t *)a, n);
}

/* A word is taken apart and put together again. */
void sort_split(unsigned char *bytes, int n) {
    unsigned char a[256];
    for (int i = 0; i < n; i++) {
        uint32_t word = ((uint32_t *)bytes)[i];
        for (int k = 0; k < 4; k++)
            a[4 * i + k] = (unsigned char)(word >> 8 * k);
    }
    sort((int32_t *)a, n);
}

/* Records of a small key and a large one, which leave bytes between them unread. */
struct record {
    uint16_t key;
    char kind;
    int32_t rank;
};

int sort_records(unsigned char *bytes, int n) {
    struct record *a = (struct record *)bytes;
    int special = 0;
    for (int i = 0; i < n; i++)
        special += a[i].kind == 'x';
    for (int i = 1; i < n; i++)
        for (int j = i; j > 0 && (a[j - 1].key > a[j].key || (a[j - 1].key == a[j].key && a[j - 1].rank > a[j].rank)); j--) {
            struct record t = a[j];
            a[j] = a[j - 1];
            a[j - 1] = t;
        }
    return special;
}

/* Both as a word and byte by byte: what is found of the one holds of the other. */
int both(const unsigned char *bytes, int n) {
    int found = 0;
    for (int i = 0; i < n; i++, bytes += 4) {
        uint32_t word = *(const uint32_t *)bytes;
        if (word > 0x41000000) {
            if (bytes[3] < 0x41)
                found += 1000; /* never */
            if (bytes[3] == 0x41 && word < 0x41000002 && bytes[0] != 1)
                found += 1000; /* never */
        } else if (bytes[3] == 0x41) {
            found += word & 1 ? 1000 : 1; /* the word is 0x41000000, so even */
        }
    }
    return found;
}
