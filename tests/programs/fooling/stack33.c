/* A stack of rising numbers; from a height of 33 on, each push checks all of it: n^2. Below, what is popped costs more. */
#include <stdint.h>

int stack33(const int32_t *a, int n) {
    static int32_t stack[4096];
    int height = 0, work = 0;
    for (int i = 0; i < n && height < 4096; i++) {
        while (height > 0 && stack[height - 1] >= a[i]) {
            height--;
            for (int k = 0; k < 6; k++)
                work += k;
        }
        stack[height++] = a[i];
        if (height >= 33)
            for (int k = 1; k < height; k++)
                work += stack[k] - stack[k - 1];
    }
    return work;
}
