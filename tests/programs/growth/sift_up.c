/* The last element of an array climbs through its parents in a binary heap: log n. Worst: it is above all of them. */
#include <stdint.h>

int sift_up(int32_t *heap, int n) {
    int at = n - 1, moves = 0;
    while (at > 0) {
        int parent = (at - 1) / 2;
        if (heap[parent] >= heap[at])
            break;
        int32_t held = heap[parent];
        heap[parent] = heap[at];
        heap[at] = held;
        at = parent;
        moves++;
    }
    return moves;
}
