/* Run-length encoding of a stream: a pair of length and byte is sent whenever a run ends, or is as long as a pair can say. */

static unsigned char packet[2];
static int sent;

static void send_pair(int length, unsigned char byte) {
    packet[0] = (unsigned char)length;
    packet[1] = byte;
    sent++;
}

int encode_runs(const unsigned char *s, int n) {
    sent = 0;
    int length = 0;
    for (int i = 0; i < n; i++) {
        if (length > 0 && (s[i] != s[i - 1] || length == 15)) {
            send_pair(length, s[i - 1]);
            length = 0;
        }
        length++;
    }
    if (length > 0)
        send_pair(length, s[n - 1]);
    return 2 * sent;
}
