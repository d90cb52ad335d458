/* A set of strings of eight bytes. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "khash.h"

KHASH_SET_INIT_STR(words)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    size_t count = size / 8;
    char *text = malloc(count * 9 + 1);
    khash_t(words) *set = kh_init(words);
    for (size_t i = 0; i < count; i++) {
        int fresh;
        char *word = text + 9 * i;
        memcpy(word, data + 8 * i, 8);
        word[8] = 0;
        kh_put(words, set, word, &fresh);
    }
    kh_destroy(words, set);
    free(text);
    return 0;
}
