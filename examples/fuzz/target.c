/* A fuzz target as libFuzzer runs it, of the parser in tests/programs/pump/csv.c: docs/how-to/fuzz-targets.md. */
#include <stddef.h>
#include <stdint.h>

int csv(const unsigned char *s, int n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    csv(data, (int)size);
    return 0;
}
