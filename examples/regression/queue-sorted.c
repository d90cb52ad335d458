/* The same queue after a harmless change: "keep the events sorted, so that listing them is a plain loop". All tests pass, and
 * events that come in order are as fast as before. Scheduling n events that do not takes n^2 steps. */
enum { MOST = 4096 };

static int queue[MOST];
static int length;

static void schedule(int time) {
    int at = length++;
    while (at > 0 && queue[at - 1] > time) {
        queue[at] = queue[at - 1];
        at--;
    }
    queue[at] = time;
}

int schedule_all(const int *times, int n) {
    length = 0;
    for (int i = 0; i < n; i++)
        schedule(times[i]);
    return length;
}
