/* A document that arrives in pieces of 16 bytes, as from a socket. */
#include <stddef.h>
#include <stdint.h>

#include "expat.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    XML_Parser parser = XML_ParserCreate(NULL);
    if (!parser) return 0;
    XML_SetHashSalt(parser, 1);
    size_t at = 0;
    while (at < size) {
        size_t piece = size - at < 16 ? size - at : 16;
        if (XML_Parse(parser, (const char *)data + at, (int)piece, at + piece == size) != XML_STATUS_OK) break;
        at += piece;
    }
    XML_ParserFree(parser);
    return 0;
}
