/* The calls of KLEE and of SV-COMP's verification tasks, told in those of slowpath.h. Linked where a program makes one. */
#include "klee/klee.h"
#include "slowpath.h"

void klee_make_symbolic(void *address, size_t bytes, const char *name) { slowpath_make_symbolic(address, bytes, name); }
int klee_int(const char *name) { return slowpath_i32(name); }

/* begin <= value < end, without a branch. */
int klee_range(int begin, int end, const char *name) {
    int value = slowpath_i32(name);
    slowpath_assume((value >= begin) & (value < end));
    return value;
}

uintptr_t klee_choose(uintptr_t n) {
    uint32_t value = slowpath_u32("choice");
    slowpath_assume(value < n);
    return value;
}

void klee_assume(uintptr_t condition) { slowpath_assume(condition != 0); }
void klee_prefer_cex(void *object, uintptr_t condition) { (void)object, (void)condition; }

/* A path that ends without a word does not count. */
void klee_silent_exit(int status) {
    (void)status;
    slowpath_assume(0);
    __builtin_trap();
}

void klee_abort(void) { __builtin_trap(); }

void klee_report_error(const char *file, int line, const char *message, const char *suffix) {
    (void)file, (void)line, (void)message, (void)suffix;
    __builtin_trap();
}

/* Nobody is to do something else because it is being analysed. */
unsigned klee_is_symbolic(uintptr_t value) { return (void)value, 0; }
unsigned klee_is_replay(void) { return 0; }
float klee_get_valuef(float value) { return value; }
double klee_get_valued(double value) { return value; }
long klee_get_valuel(long value) { return value; }
long long klee_get_valuell(long long value) { return value; }
int32_t klee_get_value_i32(int32_t value) { return value; }
int64_t klee_get_value_i64(int64_t value) { return value; }
void klee_print_expr(const char *message, ...) { (void)message; }
void klee_warning(const char *message) { (void)message; }
void klee_warning_once(const char *message) { (void)message; }
void klee_set_forking(unsigned enable) { (void)enable; }
void klee_open_merge(void) {}
void klee_close_merge(void) {}

_Bool __VERIFIER_nondet_bool(void) { return slowpath_bool("bool"); }
char __VERIFIER_nondet_char(void) { return slowpath_char("char"); }
signed char __VERIFIER_nondet_schar(void) { return slowpath_i8("schar"); }
unsigned char __VERIFIER_nondet_uchar(void) { return slowpath_u8("uchar"); }
short __VERIFIER_nondet_short(void) { return slowpath_i16("short"); }
unsigned short __VERIFIER_nondet_ushort(void) { return slowpath_u16("ushort"); }
int __VERIFIER_nondet_int(void) { return slowpath_i32("int"); }
unsigned __VERIFIER_nondet_uint(void) { return slowpath_u32("uint"); }
unsigned __VERIFIER_nondet_unsigned(void) { return slowpath_u32("unsigned"); }
unsigned __VERIFIER_nondet_size_t(void) { return slowpath_u32("size_t"); }
long __VERIFIER_nondet_long(void) { return slowpath_i32("long"); }
unsigned long __VERIFIER_nondet_ulong(void) { return slowpath_u32("ulong"); }
long long __VERIFIER_nondet_longlong(void) { return slowpath_i64("longlong"); }
unsigned long long __VERIFIER_nondet_ulonglong(void) { return slowpath_u64("ulonglong"); }
float __VERIFIER_nondet_float(void) { return slowpath_f32("float"); }
double __VERIFIER_nondet_double(void) { return slowpath_f64("double"); }
void __VERIFIER_nondet_memory(void *address, size_t bytes) { slowpath_make_symbolic(address, bytes, "memory"); }
void __VERIFIER_assume(int condition) { slowpath_assume(condition); }
void __VERIFIER_error(void) { __builtin_trap(); }

/* Tasks often bring their own. */
__attribute__((weak)) void reach_error(void) { __builtin_trap(); }
