/* The selection natively. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void select_middle(int *a, int n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    size_t count = size / sizeof(int);
    int *numbers = malloc(size + 1);
    if (!numbers) return 0;
    memcpy(numbers, data, count * sizeof(int));
    select_middle(numbers, (int)count);
    free(numbers);
    return 0;
}
