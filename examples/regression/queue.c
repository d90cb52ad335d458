/* A queue of timed events: a binary heap, the earliest on top. Scheduling n events takes n log n steps at most. */
enum { MOST = 4096 };

static int queue[MOST];
static int length;

static void schedule(int time) {
    int at = length++;
    while (at > 0 && queue[(at - 1) / 2] > time) {
        queue[at] = queue[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    queue[at] = time;
}

int schedule_all(const int *times, int n) {
    length = 0;
    for (int i = 0; i < n; i++)
        schedule(times[i]);
    return length;
}
