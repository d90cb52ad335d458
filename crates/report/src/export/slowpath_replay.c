/* slowpath_replay.c: the functions of slowpath.h for a native run. They hand out recorded values by the name of the input,
 * values made by an input law, random ones, or zeros; and they time what the harness measures. */
#include "slowpath.h"
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef int64_t slowpath_law(int64_t i, int64_t n);

struct slot {
    const char *name;
    const void *bytes;
    unsigned long size;
    slowpath_law *law;
    int64_t n;
};

static struct slot *slots;
static unsigned long slot_count;
static char **names;
static unsigned long name_count;
static int random_mode;
static uint64_t random_state;

static jmp_buf refused;
static int may_refuse;

static double total, since;
static int running, has_region;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void *grow(void *list, unsigned long count, unsigned long each) {
    if ((count & (count - 1)) != 0)
        return list;
    list = realloc(list, (count ? 2 * count : 1) * each);
    if (!list) {
        fprintf(stderr, "slowpath_replay: out of memory\n");
        exit(1);
    }
    return list;
}

static struct slot *new_slot(const char *name) {
    slots = grow(slots, slot_count, sizeof *slots);
    struct slot *slot = &slots[slot_count++];
    memset(slot, 0, sizeof *slot);
    slot->name = name;
    return slot;
}

/* The input of this name has these bytes. */
void slowpath_replay_input(const char *name, const void *bytes, unsigned long size) {
    struct slot *slot = new_slot(name);
    slot->bytes = bytes;
    slot->size = size;
}

/* The input of this name has elements law(i, n). */
void slowpath_replay_law(const char *name, slowpath_law *law, int64_t n) {
    struct slot *slot = new_slot(name);
    slot->law = law;
    slot->n = n;
}

/* Inputs that are not given are random. */
void slowpath_replay_random(uint64_t seed) {
    random_mode = 1;
    random_state = seed;
}

/* Forgets what inputs are to be. */
void slowpath_replay_clear(void) {
    slot_count = 0;
    random_mode = 0;
}

/* Before a run. */
void slowpath_replay_start(void) {
    for (unsigned long k = 0; k < name_count; k++)
        free(names[k]);
    name_count = 0;
    has_region = 0;
    total = 0;
    running = 1;
    since = now();
}

/* After it: the seconds between slowpath_begin and slowpath_end; without these, all but what inputs took. */
double slowpath_replay_seconds(void) {
    double at = now();
    if (running)
        total += at - since;
    running = 0;
    return total;
}

/* One whole run. 0 if the harness does not allow the input. */
int slowpath_replay_run(void (*harness)(int64_t n), int64_t n) {
    volatile int allowed = 0;
    may_refuse = 1;
    if (setjmp(refused) == 0) {
        slowpath_replay_start();
        harness(n);
        allowed = 1;
    }
    may_refuse = 0;
    return allowed;
}

static int is_taken(const char *name) {
    for (unsigned long k = 0; k < name_count; k++)
        if (strcmp(names[k], name) == 0)
            return 1;
    return 0;
}

/* The first x is x, the next ones x.1, x.2, ... */
static const char *fresh(const char *base) {
    if (!base || !*base)
        base = "input";
    unsigned long space = strlen(base) + 24;
    char *name = malloc(space);
    if (!name) {
        fprintf(stderr, "slowpath_replay: out of memory\n");
        exit(1);
    }
    snprintf(name, space, "%s", base);
    for (unsigned long number = 1; is_taken(name); number++)
        snprintf(name, space, "%s.%lu", base, number);
    names = grow(names, name_count, sizeof *names);
    names[name_count++] = name;
    return name;
}

static uint64_t draw(void) {
    uint64_t z = random_state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

enum kind { WHOLE, FLOAT, TRUTH };

static void put(char *to, unsigned long width, enum kind kind, uint64_t value) {
    if (kind == FLOAT) {
        double number = (double)(int64_t)value;
        if (random_mode)
            number = -1e6 + 2e6 * ((double)(value >> 11) / 9007199254740992.0);
        float narrow = (float)number;
        memcpy(to, width == 8 ? (void *)&number : (void *)&narrow, width);
        return;
    }
    if (kind == TRUTH)
        value &= 1;
    uint8_t one = (uint8_t)value;
    uint16_t two = (uint16_t)value;
    uint32_t four = (uint32_t)value;
    const void *from = width == 1 ? (void *)&one : width == 2 ? (void *)&two : width == 4 ? (void *)&four : (void *)&value;
    memcpy(to, from, width);
}

static void give(void *to, unsigned long width, enum kind kind, unsigned long count, const char *base) {
    double at = now();
    if (running)
        total += at - since;
    const char *name = fresh(base);
    const struct slot *slot = 0;
    for (unsigned long k = 0; k < slot_count && !slot; k++)
        if (strcmp(slots[k].name, name) == 0)
            slot = &slots[k];
    memset(to, 0, width * count);
    if (slot && slot->bytes) {
        memcpy(to, slot->bytes, slot->size < width * count ? slot->size : width * count);
    } else if (slot || random_mode) {
        for (unsigned long i = 0; i < count; i++)
            put((char *)to + i * width, width, kind, slot ? (uint64_t)slot->law((int64_t)i, slot->n) : draw());
    }
    since = now();
}

void slowpath_make_symbolic(void *p, unsigned long bytes, const char *name) { give(p, 1, WHOLE, bytes, name); }

#define SLOWPATH_GIVE(suffix, type, kind)                                                                                        \
    type slowpath_##suffix(const char *name) {                                                                                   \
        type value;                                                                                                              \
        give(&value, sizeof value, kind, 1, name);                                                                               \
        return value;                                                                                                            \
    }                                                                                                                            \
    void slowpath_##suffix##_array(type *p, unsigned long count, const char *name) { give(p, sizeof *p, kind, count, name); }

SLOWPATH_GIVE(i8, int8_t, WHOLE)
SLOWPATH_GIVE(u8, uint8_t, WHOLE)
SLOWPATH_GIVE(i16, int16_t, WHOLE)
SLOWPATH_GIVE(u16, uint16_t, WHOLE)
SLOWPATH_GIVE(i32, int32_t, WHOLE)
SLOWPATH_GIVE(u32, uint32_t, WHOLE)
SLOWPATH_GIVE(i64, int64_t, WHOLE)
SLOWPATH_GIVE(u64, uint64_t, WHOLE)
SLOWPATH_GIVE(f32, float, FLOAT)
SLOWPATH_GIVE(f64, double, FLOAT)
SLOWPATH_GIVE(bool, bool, TRUTH)
SLOWPATH_GIVE(char, char, WHOLE)

void slowpath_assume(int condition) {
    if (condition)
        return;
    if (may_refuse)
        longjmp(refused, 1);
    fprintf(stderr, "slowpath_assume: the harness does not allow this input\n");
    exit(4);
}

void slowpath_cost(unsigned amount) { (void)amount; }

void slowpath_begin(void) {
    if (has_region && running)
        return;
    if (!has_region)
        total = 0;
    has_region = 1;
    running = 1;
    since = now();
}

void slowpath_end(void) {
    if (has_region && running) {
        total += now() - since;
        running = 0;
    }
}
