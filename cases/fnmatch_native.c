/* newlib's fnmatch natively: the first half of the bytes is the pattern, the rest the string. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int newlib_fnmatch(const char *, const char *, int);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    size_t half = size / 2;
    char *text = (char *)calloc(size + 2, 1);
    if (!text) return 0;
    memcpy(text, data, half);
    memcpy(text + half + 1, data + half, size - half);
    newlib_fnmatch(text, text + half + 1, 0);
    free(text);
    return 0;
}
