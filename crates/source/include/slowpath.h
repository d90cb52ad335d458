/* slowpath.h: how a C or C++ harness talks to slowpath.
 *
 * A harness is a function that takes the size n, makes its own inputs with the calls below, and runs the code of interest:
 *
 *     #include "slowpath.h"
 *     void harness(int n) {
 *         static int32_t keys[100];
 *         slowpath_i32_array(keys, n, "keys");
 *         slowpath_begin();
 *         sort(keys, n);
 *         slowpath_end();
 *     }
 *
 * On WebAssembly the calls are imports of the module "slowpath". On any other target they are plain external functions, so
 * that the same harness can be linked with a small replay library and run natively.
 *
 * Narrow results arrive already extended to 32 bits, as the WebAssembly C ABI asks: sign-extended for i8, i16 and char,
 * zero-extended for u8, u16 and bool (which is 0 or 1). A name is a NUL-terminated string; it labels the input in reports.
 */
#ifndef SLOWPATH_H
#define SLOWPATH_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __wasm__
#define SLOWPATH_IMPORT(name) __attribute__((import_module("slowpath"), import_name(name)))
#else
#define SLOWPATH_IMPORT(name)
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Any memory at all: every byte becomes an unknown of its own. */
SLOWPATH_IMPORT("make_symbolic") void slowpath_make_symbolic(void *p, unsigned long bytes, const char *name);

/* One unknown value of the type. */
SLOWPATH_IMPORT("i8") int8_t slowpath_i8(const char *name);
SLOWPATH_IMPORT("u8") uint8_t slowpath_u8(const char *name);
SLOWPATH_IMPORT("i16") int16_t slowpath_i16(const char *name);
SLOWPATH_IMPORT("u16") uint16_t slowpath_u16(const char *name);
SLOWPATH_IMPORT("i32") int32_t slowpath_i32(const char *name);
SLOWPATH_IMPORT("u32") uint32_t slowpath_u32(const char *name);
SLOWPATH_IMPORT("i64") int64_t slowpath_i64(const char *name);
SLOWPATH_IMPORT("u64") uint64_t slowpath_u64(const char *name);
SLOWPATH_IMPORT("f32") float slowpath_f32(const char *name);
SLOWPATH_IMPORT("f64") double slowpath_f64(const char *name);
SLOWPATH_IMPORT("bool") bool slowpath_bool(const char *name);
SLOWPATH_IMPORT("char") char slowpath_char(const char *name);

/* An array of `count` unknown values at p. */
SLOWPATH_IMPORT("i8_array") void slowpath_i8_array(int8_t *p, unsigned long count, const char *name);
SLOWPATH_IMPORT("u8_array") void slowpath_u8_array(uint8_t *p, unsigned long count, const char *name);
SLOWPATH_IMPORT("i16_array") void slowpath_i16_array(int16_t *p, unsigned long count, const char *name);
SLOWPATH_IMPORT("u16_array") void slowpath_u16_array(uint16_t *p, unsigned long count, const char *name);
SLOWPATH_IMPORT("i32_array") void slowpath_i32_array(int32_t *p, unsigned long count, const char *name);
SLOWPATH_IMPORT("u32_array") void slowpath_u32_array(uint32_t *p, unsigned long count, const char *name);
SLOWPATH_IMPORT("i64_array") void slowpath_i64_array(int64_t *p, unsigned long count, const char *name);
SLOWPATH_IMPORT("u64_array") void slowpath_u64_array(uint64_t *p, unsigned long count, const char *name);
SLOWPATH_IMPORT("f32_array") void slowpath_f32_array(float *p, unsigned long count, const char *name);
SLOWPATH_IMPORT("f64_array") void slowpath_f64_array(double *p, unsigned long count, const char *name);
SLOWPATH_IMPORT("bool_array") void slowpath_bool_array(bool *p, unsigned long count, const char *name);
SLOWPATH_IMPORT("char_array") void slowpath_char_array(char *p, unsigned long count, const char *name);

/* From here on only inputs for which `condition` is not zero count. Write `&` rather than `&&` inside it: `&&` is a branch,
 * and would split the path in two before the assumption is even made. */
SLOWPATH_IMPORT("assume") void slowpath_assume(int condition);

/* Adds `amount` to the counter that `--cost custom` maximises. */
SLOWPATH_IMPORT("cost") void slowpath_cost(unsigned amount);

/* Costs count only between these two; without them, from the harness's first instruction to its last. */
SLOWPATH_IMPORT("begin") void slowpath_begin(void);
SLOWPATH_IMPORT("end") void slowpath_end(void);

/* One unknown value with lo <= value <= hi. For floats this excludes NaN. */
#define SLOWPATH_RANGE(suffix, type)                                                                                             \
    static inline type slowpath_range_##suffix(type lo, type hi, const char *name) {                                             \
        type value = slowpath_##suffix(name);                                                                                    \
        slowpath_assume((value >= lo) & (value <= hi));                                                                          \
        return value;                                                                                                            \
    }
SLOWPATH_RANGE(i8, int8_t)
SLOWPATH_RANGE(u8, uint8_t)
SLOWPATH_RANGE(i16, int16_t)
SLOWPATH_RANGE(u16, uint16_t)
SLOWPATH_RANGE(i32, int32_t)
SLOWPATH_RANGE(u32, uint32_t)
SLOWPATH_RANGE(i64, int64_t)
SLOWPATH_RANGE(u64, uint64_t)
SLOWPATH_RANGE(f32, float)
SLOWPATH_RANGE(f64, double)
SLOWPATH_RANGE(char, char)
#undef SLOWPATH_RANGE

#ifdef __cplusplus
}
#endif

#endif /* SLOWPATH_H */
