
enum kind { WHOLE, FLOAT };

struct input {
    size_t offset, count, width;
    enum kind kind;
    int64_t low, high;
    int64_t (*law)(int64_t i, int64_t n);
};

static struct input inputs[64];
static int input_count;
static size_t input_bytes;

static void add_input(int64_t count, size_t width, enum kind kind, int64_t low, int64_t high, int64_t (*law)(int64_t, int64_t)) {
    if (count < 0 || (uint64_t)count > SIZE_MAX / 16 / width || input_count == 64)
        fail("the inputs do not fit memory");
    inputs[input_count++] = (struct input){input_bytes, (size_t)count, width, kind, low, high, law};
    input_bytes += ((size_t)count * width + 64) / 64 * 64; /* a NUL may have to follow */
}

static void set_up(int64_t n) {
    (void)n;
SET_UP;
}

static void *at(char *copy, int input) { return copy + inputs[input].offset; }

static void run(char *copy, int64_t n) {
    (void)copy, (void)n;
CALL;
}

static void put(char *to, const struct input *input, uint64_t value, double number) {
    float narrow = (float)number;
    uint8_t one = (uint8_t)value;
    uint16_t two = (uint16_t)value;
    uint32_t four = (uint32_t)value;
    const void *from = input->kind == FLOAT ? (input->width == 8 ? (void *)&number : (void *)&narrow)
                       : input->width == 1  ? (void *)&one
                       : input->width == 2  ? (void *)&two
                       : input->width == 4  ? (void *)&four
                                            : (void *)&value;
    memcpy(to, from, input->width);
}

static void fill(char *copy, enum mode mode, int64_t n, const char *bytes, size_t size) {
    for (int k = 0; k < input_count; k++) {
        const struct input *input = &inputs[k];
        char *to = copy + input->offset;
        size_t total = input->count * input->width;
        if (mode == WORST) {
            if (total > size)
                fail("the input is too short");
            memcpy(to, bytes, total);
            bytes += total, size -= total;
            continue;
        }
        if (mode == LAW && !input->law)
            fail("there is no input law");
        for (size_t i = 0; i < input->count; i++, to += input->width) {
            if (mode == LAW) {
                int64_t value = input->law((int64_t)i, n);
                if (input->high >= input->low && (value < input->low || value > input->high))
                    fail("the law leaves the range of the input");
                put(to, input, (uint64_t)value, (double)value);
                continue;
            }
            uint64_t z = draw(), span = (uint64_t)input->high - (uint64_t)input->low + 1;
            double unit = (double)(z >> 11) / 9007199254740992.0;
            uint64_t value = span == 0 ? z : (uint64_t)input->low + z % span;
            put(to, input, value, (double)input->low + ((double)input->high - (double)input->low) * unit);
        }
    }
}

int main(int argc, char **argv) {
    int64_t n;
    enum mode mode = read_arguments(argc, argv, &n);
    set_up(n);
    size_t size = 0, batch = 1, most = 1 + ((size_t)4 << 20) / (input_bytes + 1);
    char *bytes = mode == WORST && argc > 4 ? read_file(argv[4], &size) : 0;
    char *pristine = calloc(1, input_bytes + 64), *copies = malloc(input_bytes * (most > 1024 ? 1024 : most) + 64);
    if (!pristine || !copies)
        fail("the inputs do not fit memory");
    double overhead = clock_cost(), spent = 0;
    for (int warm = 0; !enough(spent); warm = 1) {
        /* A random input is drawn anew for every sample, but not within: the processor learns what repeats, and should have
         * the same chance with both. The function may change its input, so every call has a copy of its own. */
        if (!warm || mode == RANDOM)
            fill(pristine, mode, n, bytes, size);
        for (size_t k = 0; k < batch; k++)
            memcpy(copies + k * input_bytes, pristine, input_bytes);
        double begun = seconds();
        for (size_t k = 0; k < batch; k++)
            run(copies + k * input_bytes, n);
        double took = seconds() - begun - overhead;
        double each = took > 0 ? took / (double)batch : 0;
        /* The first call meets cold caches; it counts only where calls are so long that it does not matter. */
        if (!warm && each < 0.01) {
            double wanted = 20e-6 / (each > 1e-9 ? each : 1e-9);
            batch = wanted < 1 ? 1 : wanted > 1024 ? 1024 : (size_t)wanted;
            batch = batch > most ? most : batch;
            continue;
        }
        samples[sample_count++] = each;
        spent += took > 1e-7 ? took : 1e-7;
    }
    return finish();
}
