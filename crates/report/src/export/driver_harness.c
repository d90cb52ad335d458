
void slowpath_replay_input(const char *name, const void *bytes, unsigned long size);
void slowpath_replay_law(const char *name, int64_t (*law)(int64_t i, int64_t n), int64_t n);
void slowpath_replay_random(uint64_t seed);
int slowpath_replay_run(void (*harness)(int64_t n), int64_t n);
double slowpath_replay_seconds(void);

static void give_laws(int64_t n) {
    (void)n;
BY_LAW;
}

/* A file of inputs: for each its name, a zero, eight bytes with the number of its bytes, and these. */
static void give_recorded(const char *file) {
    size_t size;
    char *bytes = read_file(file, &size), *end = bytes + size;
    while (bytes < end) {
        size_t name = strnlen(bytes, (size_t)(end - bytes)) + 1;
        uint64_t length;
        if ((size_t)(end - bytes) < name + sizeof length)
            fail("the input is too short");
        memcpy(&length, bytes + name, sizeof length);
        if ((size_t)(end - bytes) - name - sizeof length < length)
            fail("the input is too short");
        slowpath_replay_input(bytes, bytes + name + sizeof length, (unsigned long)length);
        bytes += name + sizeof length + length;
    }
}

int main(int argc, char **argv) {
    int64_t n;
    enum mode mode = read_arguments(argc, argv, &n);
    if (mode == RANDOM)
        slowpath_replay_random(random_state);
    else if (mode == LAW)
        give_laws(n);
    else if (argc > 4)
        give_recorded(argv[4]);
    double overhead = clock_cost(), spent = 0;
    int refused = 0;
    for (int warm = 0; !enough(spent); warm = 1) {
        double begun = seconds();
        if (!slowpath_replay_run(TARGET, n)) {
            if (mode != RANDOM)
                fail("the harness does not allow this input");
            if (++refused >= 10000)
                fail("of 10,000 random inputs the harness allows none");
            continue;
        }
        double took = slowpath_replay_seconds() - overhead;
        if (!warm && took < 0.01)
            continue;
        samples[sample_count++] = took > 0 ? took : 0;
        spent += seconds() - begun;
    }
    return finish();
}
