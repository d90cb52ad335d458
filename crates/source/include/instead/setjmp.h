/* setjmp for WebAssembly as slowpath runs it: setjmp comes back once, with 0, and longjmp is a trap. */
#ifndef SLOWPATH_SETJMP_H
#define SLOWPATH_SETJMP_H

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    int unused;
} jmp_buf[1], sigjmp_buf[1];

#define setjmp(place) ((void)(place), 0)
#define _setjmp(place) ((void)(place), 0)
#define sigsetjmp(place, mask) ((void)(place), (void)(mask), 0)

__attribute__((noreturn)) void longjmp(jmp_buf place, int value);
__attribute__((noreturn)) void _longjmp(jmp_buf place, int value);
__attribute__((noreturn)) void siglongjmp(sigjmp_buf place, int value);

#ifdef __cplusplus
}
#endif

#endif
