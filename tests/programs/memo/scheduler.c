/* A scheduler with a bounded queue: in each step a short, a longer or a long task may arrive, and one step of work is done on the
   shortest task that waits. The queue is kept sorted; who comes when it is full is turned away. */

#define ROOM 5

static int queue[ROOM];

int schedule(const unsigned char *arrivals, int n) {
    int waiting = 0, turned_away = 0;
    for (int i = 0; i < n; i++) {
        int length = 0;
        if (arrivals[i] == 's')
            length = 1;
        else if (arrivals[i] == 'm')
            length = 3;
        else if (arrivals[i] == 'l')
            length = 5;
        if (length > 0) {
            if (waiting == ROOM) {
                turned_away++;
            } else {
                int at = waiting;
                while (at > 0 && queue[at - 1] < length) {
                    queue[at] = queue[at - 1];
                    at--;
                }
                queue[at] = length;
                waiting++;
            }
        }
        if (waiting > 0) {
            queue[waiting - 1]--;
            if (queue[waiting - 1] == 0)
                waiting--;
        }
    }
    return turned_away;
}
