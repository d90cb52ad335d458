/* Programs that write to much memory, each as fast as it can. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static volatile char pool[64 << 20];

/* 64 MiB of its own, a byte of every page. */
int own(const uint8_t *a, int n) {
    int got = 0;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < 64 << 20; j += 4096)
            pool[j] = a[i] + 1;
        got += a[i] > 100;
    }
    return got;
}

/* A byte of every 64 KiB of 64 MiB for every byte that is set. */
int stride(const uint8_t *a, int n) {
    int got = 0;
    for (int i = 0; i < n; i++) {
        if (a[i] > 100) {
            volatile char *block = malloc(64 << 20);
            if (!block)
                return -1;
            for (int j = 0; j < 64 << 20; j += 65536)
                block[j] = 1;
            got++;
        }
    }
    return got;
}

/* 200 MiB at once for every byte that is set. */
int bulk(const uint8_t *a, int n) {
    int got = 0;
    for (int i = 0; i < n; i++) {
        if (a[i] > 100) {
            char *block = malloc(200 << 20);
            if (!block)
                return -1;
            memset(block, 7, 200 << 20);
            memcpy(block + (100 << 20), block, 50 << 20);
            got += block[12345];
        }
    }
    return got;
}
