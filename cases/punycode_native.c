/* libidn's punycode_decode natively. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "punycode.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    size_t length = size;
    punycode_uint *output = (punycode_uint *)malloc(size * sizeof(punycode_uint) + 1);
    if (!output) return 0;
    punycode_decode(size, (const char *)data, &length, output, NULL);
    free(output);
    return 0;
}
