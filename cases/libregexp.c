/* The first half of the input is a regular expression, the rest the text that it is looked for in. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "libregexp.h"

/* What libregexp asks of whoever uses it. */
int lre_check_stack_overflow(void *opaque, size_t size) { (void)opaque; return size > 100000; }
int lre_check_timeout(void *opaque) { (void)opaque; return 0; }
void *lre_realloc(void *opaque, void *p, size_t size) {
    (void)opaque;
    if (size) return realloc(p, size);
    free(p);
    return NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    size_t half = size / 2;
    char message[64], *pattern = malloc(half + 1);
    int length;
    if (!pattern) return 0;
    memcpy(pattern, data, half);
    pattern[half] = 0;
    uint8_t *code = lre_compile(&length, message, sizeof message, pattern, half, 0, NULL);
    free(pattern);
    if (!code) return 0;
    uint8_t **captures = calloc(2 * (size_t)lre_get_capture_count(code), sizeof *captures);
    if (captures) lre_exec(captures, code, data + half, 0, (int)(size - half), 0, NULL);
    free(captures);
    free(code);
    return 0;
}
