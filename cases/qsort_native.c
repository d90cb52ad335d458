/* newlib's qsort natively, under a name of its own. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void newlib_qsort(void *, size_t, size_t, int (*)(const void *, const void *));
int compare_ints(const void *, const void *);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    size_t count = size / sizeof(int);
    int *numbers = (int *)malloc(size + 1);
    if (!numbers) return 0;
    memcpy(numbers, data, count * sizeof(int));
    newlib_qsort(numbers, count, sizeof(int), compare_ints);
    free(numbers);
    return 0;
}
