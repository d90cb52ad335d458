/* jsmn is one header. */
#include "jsmn.h"

#ifdef NATIVE
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    jsmn_parser parser;
    jsmntok_t *tokens = (jsmntok_t *)malloc(size * sizeof(jsmntok_t) + 1);
    if (!tokens) return 0;
    jsmn_init(&parser);
    jsmn_parse(&parser, (const char *)data, size, tokens, (unsigned)size);
    free(tokens);
    return 0;
}
#endif
