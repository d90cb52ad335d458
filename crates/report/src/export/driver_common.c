/* Times one input of the program. Made and run by slowpath replay --native. */
#define _POSIX_C_SOURCE 200809L
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_SAMPLES = 1001, FEWEST_SAMPLES = 3 };
static const double ENOUGH_SECONDS = 0.1, LONG_SECONDS = 1.0;

static FILE *result;
static double samples[MOST_SAMPLES];
static int sample_count;

static void fail(const char *why) {
    fprintf(result, "error %s\n", why);
    exit(3);
}

static double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, int count) {
    qsort(values, (size_t)count, sizeof *values, ascending);
    return values[count / 2];
}

/* What looking at the clock costs. */
static double clock_cost(void) {
    double costs[101];
    for (int k = 0; k < 101; k++) {
        double begun = seconds();
        costs[k] = seconds() - begun;
    }
    return median(costs, 101);
}

static uint64_t random_state;

__attribute__((unused)) static uint64_t draw(void) {
    uint64_t z = random_state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

/* Whether there are samples enough: a few long ones, or many short ones. */
static int enough(double spent) {
    if (sample_count >= MOST_SAMPLES || (sample_count > 0 && spent > FEWEST_SAMPLES * LONG_SECONDS))
        return 1;
    return sample_count >= FEWEST_SAMPLES && spent > ENOUGH_SECONDS;
}

enum mode { WORST, RANDOM, LAW };

static enum mode read_arguments(int argc, char **argv, int64_t *n) {
    if (argc < 4 || !(result = fopen(argv[1], "w")))
        exit(2);
    /* What the program prints is nobody's business here. */
    if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr))
        exit(2);
    *n = atoll(argv[3]);
    random_state = argc > 4 ? strtoull(argv[4], 0, 10) : 1;
    return strcmp(argv[2], "worst") == 0 ? WORST : strcmp(argv[2], "law") == 0 ? LAW : RANDOM;
}

static void *read_file(const char *name, size_t *size) {
    FILE *file = fopen(name, "rb");
    if (!file || fseek(file, 0, SEEK_END) != 0)
        fail("the input cannot be read");
    long length = ftell(file);
    rewind(file);
    void *bytes = malloc((size_t)length + 1);
    if (!bytes || fread(bytes, 1, (size_t)length, file) != (size_t)length)
        fail("the input cannot be read");
    fclose(file);
    *size = (size_t)length;
    return bytes;
}

static int finish(void) {
    fprintf(result, "%.1f %d\n", median(samples, sample_count) * 1e9, sample_count);
    return fclose(result) == 0 ? 0 : 2;
}
