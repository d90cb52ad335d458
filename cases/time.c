/* Times the native harness on files: the least time of one run of each, in seconds. */
#define _POSIX_C_SOURCE 199309L
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#ifdef __cplusplus
extern "C"
#endif
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

int main(int count, char **names) {
    for (int i = 1; i < count; i++) {
        FILE *file = fopen(names[i], "rb");
        if (!file || fseek(file, 0, SEEK_END)) return 1;
        size_t size = (size_t)ftell(file);
        rewind(file);
        uint8_t *data = (uint8_t *)malloc(size + 1);
        if (!data || fread(data, 1, size, file) != size) return 1;
        fclose(file);
        double least = 1e9, begun = now();
        /* Many files are there to be told apart, few to be measured. */
        int runs = count > 64 ? 2 : 1000;
        for (int run = 0; run < runs && (run < 3 || now() - begun < 0.2); run++) {
            double before = now();
            LLVMFuzzerTestOneInput(data, size);
            double took = now() - before;
            if (took < least) least = took;
        }
        printf("%.9f\n", least);
        free(data);
    }
    return 0;
}
