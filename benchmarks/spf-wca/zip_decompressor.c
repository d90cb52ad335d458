/* Unpacking archives within archives through a queue, with the faulty guard the SPF-WCA paper found in TextCrunchr.
 * n: how deep archives may be nested in the file examined. How deep they really are is the one unknown, `depth`.
 *
 * Unpacking takes an archive from the queue and puts its members at the end: a plain file, and, unless it is the innermost,
 * another archive. The guard means to bound the work, but bounds the length of the queue, and this queue never holds more
 * than two.
 *
 * Worst: depth is n or more. Then every level is unpacked, in 8n + 9 branches, and nothing bounds n: an archive that
 * contains itself makes a program that does not end.
 *
 * Paths: n + 2: depth is negative, which no archive can be; or 0, 1, ... n - 1; or at least n. In the table 5, 6, 7, 12, 17,
 * ... 1002 for n = 3, 4, 5, 10, 15, ... 1000; its cells for 1 and 2 are lost, and would be 3 and 4.
 * The paper describes the component; how its file was made symbolic is ours, chosen so that the counts agree. */
enum { QUEUE_LIMIT = 15, ROOM = QUEUE_LIMIT + 2, PLAIN_FILE = -1 };

/* What the queue holds: the level of an archive, 0 for the outermost, or PLAIN_FILE. */
static int queue[ROOM];
static int head, length;

static void enqueue(int member) {
    queue[(head + length) % ROOM] = member;
    length++;
}

static int dequeue(void) {
    int member = queue[head];
    head = (head + 1) % ROOM;
    length--;
    return member;
}

static void unpack(int level, int depth, int n) {
    enqueue(PLAIN_FILE);
    if (level < n) {
        if (level < depth)
            enqueue(level + 1);
    }
}

int zip_decompressor(int depth, int n) {
    int processed = 0;
    head = 0;
    length = 0;
    if (depth < 0)
        return -1;
    enqueue(0);
    while (length > 0) {
        if (length >= QUEUE_LIMIT)
            break;
        int member = dequeue();
        processed++;
        if (member != PLAIN_FILE)
            unpack(member, depth, n);
    }
    return processed;
}
