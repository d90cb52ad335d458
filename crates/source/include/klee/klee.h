/* klee/klee.h: the calls of KLEE, for harnesses that were written for it. `harness.c` says what each one means here. */
#ifndef KLEE_H
#define KLEE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

void klee_make_symbolic(void *address, size_t bytes, const char *name);
int klee_int(const char *name);
int klee_range(int begin, int end, const char *name);
uintptr_t klee_choose(uintptr_t n);
void klee_assume(uintptr_t condition);
void klee_prefer_cex(void *object, uintptr_t condition);

__attribute__((noreturn)) void klee_silent_exit(int status);
__attribute__((noreturn)) void klee_abort(void);
__attribute__((noreturn)) void klee_report_error(const char *file, int line, const char *message, const char *suffix);
#define klee_assert(condition) ((condition) ? (void)0 : klee_abort())

unsigned klee_is_symbolic(uintptr_t value);
unsigned klee_is_replay(void);
float klee_get_valuef(float value);
double klee_get_valued(double value);
long klee_get_valuel(long value);
long long klee_get_valuell(long long value);
int32_t klee_get_value_i32(int32_t value);
int64_t klee_get_value_i64(int64_t value);

void klee_print_expr(const char *message, ...);
void klee_warning(const char *message);
void klee_warning_once(const char *message);
void klee_set_forking(unsigned enable);
void klee_open_merge(void);
void klee_close_merge(void);

#ifdef __cplusplus
}
#endif

#endif /* KLEE_H */
