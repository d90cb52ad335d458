// One document, parsed.
#include <cstddef>
#include <cstdint>

#include "tinyxml2.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    tinyxml2::XMLDocument document;
    document.Parse(reinterpret_cast<const char *>(data), size);
    return 0;
}
