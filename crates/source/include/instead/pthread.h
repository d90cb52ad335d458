/* Threads as slowpath runs programs: there is one. Locks are always free, what is to be done once is done, values of the thread are
   kept, and no further thread can be made. */
#ifndef SLOWPATH_PTHREAD_H
#define SLOWPATH_PTHREAD_H

#define __NEED_pthread_t
#define __NEED_pthread_once_t
#define __NEED_pthread_key_t
#define __NEED_pthread_mutexattr_t
#define __NEED_pthread_condattr_t
#define __NEED_pthread_rwlockattr_t
#define __NEED_pthread_attr_t
#define __NEED_pthread_mutex_t
#define __NEED_pthread_cond_t
#define __NEED_pthread_rwlock_t
#include <bits/alltypes.h>

#ifndef __DEFINED_pthread_attr_t
typedef struct { int unused; } pthread_attr_t;
#define __DEFINED_pthread_attr_t
#endif
#ifndef __DEFINED_pthread_mutex_t
typedef struct { int unused; } pthread_mutex_t;
#define __DEFINED_pthread_mutex_t
#endif
#ifndef __DEFINED_pthread_cond_t
typedef struct { int unused; } pthread_cond_t;
#define __DEFINED_pthread_cond_t
#endif
#ifndef __DEFINED_pthread_rwlock_t
typedef struct { int unused; } pthread_rwlock_t;
#define __DEFINED_pthread_rwlock_t
#endif

#define PTHREAD_ONCE_INIT 0
#define PTHREAD_MUTEX_INITIALIZER {0}
#define PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP {0}
#define PTHREAD_COND_INITIALIZER {0}
#define PTHREAD_RWLOCK_INITIALIZER {0}
#define PTHREAD_MUTEX_NORMAL 0
#define PTHREAD_MUTEX_DEFAULT 0
#define PTHREAD_MUTEX_RECURSIVE 1
#define PTHREAD_MUTEX_ERRORCHECK 2
#define PTHREAD_CREATE_JOINABLE 0
#define PTHREAD_CREATE_DETACHED 1

#ifdef __cplusplus
extern "C" {
#endif

struct timespec;

#define SLOWPATH_ONE_THREAD(name, ...) \
    static inline __attribute__((unused)) int name(__VA_ARGS__) { return 0; }
SLOWPATH_ONE_THREAD(pthread_mutex_init, pthread_mutex_t *m, const pthread_mutexattr_t *a)
SLOWPATH_ONE_THREAD(pthread_mutex_destroy, pthread_mutex_t *m)
SLOWPATH_ONE_THREAD(pthread_mutex_lock, pthread_mutex_t *m)
SLOWPATH_ONE_THREAD(pthread_mutex_trylock, pthread_mutex_t *m)
SLOWPATH_ONE_THREAD(pthread_mutex_unlock, pthread_mutex_t *m)
SLOWPATH_ONE_THREAD(pthread_mutexattr_init, pthread_mutexattr_t *a)
SLOWPATH_ONE_THREAD(pthread_mutexattr_destroy, pthread_mutexattr_t *a)
SLOWPATH_ONE_THREAD(pthread_mutexattr_settype, pthread_mutexattr_t *a, int type)
SLOWPATH_ONE_THREAD(pthread_rwlock_init, pthread_rwlock_t *l, const pthread_rwlockattr_t *a)
SLOWPATH_ONE_THREAD(pthread_rwlock_destroy, pthread_rwlock_t *l)
SLOWPATH_ONE_THREAD(pthread_rwlock_rdlock, pthread_rwlock_t *l)
SLOWPATH_ONE_THREAD(pthread_rwlock_wrlock, pthread_rwlock_t *l)
SLOWPATH_ONE_THREAD(pthread_rwlock_unlock, pthread_rwlock_t *l)
SLOWPATH_ONE_THREAD(pthread_cond_init, pthread_cond_t *c, const pthread_condattr_t *a)
SLOWPATH_ONE_THREAD(pthread_cond_destroy, pthread_cond_t *c)
SLOWPATH_ONE_THREAD(pthread_cond_signal, pthread_cond_t *c)
SLOWPATH_ONE_THREAD(pthread_cond_broadcast, pthread_cond_t *c)
SLOWPATH_ONE_THREAD(pthread_attr_init, pthread_attr_t *a)
SLOWPATH_ONE_THREAD(pthread_attr_destroy, pthread_attr_t *a)
SLOWPATH_ONE_THREAD(pthread_attr_setdetachstate, pthread_attr_t *a, int state)
#undef SLOWPATH_ONE_THREAD

/* Whoever waits for another thread waits for ever. */
int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex);
int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *until);
int pthread_join(pthread_t thread, void **result);
int pthread_detach(pthread_t thread);
__attribute__((noreturn)) void pthread_exit(void *result);

static inline __attribute__((unused)) int pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                                                         void *(*run)(void *), void *argument) {
    (void)thread, (void)attributes, (void)run, (void)argument;
    return 6; /* EAGAIN */
}

static inline __attribute__((unused)) int pthread_equal(pthread_t a, pthread_t b) {
    return a == b;
}

static inline __attribute__((unused)) pthread_t pthread_self(void) {
    return (pthread_t)1;
}

static inline __attribute__((unused)) int pthread_once(pthread_once_t *done, void (*act)(void)) {
    if (!*done) {
        *done = 1;
        act();
    }
    return 0;
}

#define SLOWPATH_THREAD_VALUES 64
__attribute__((weak)) const void *slowpath_thread_values[SLOWPATH_THREAD_VALUES];
__attribute__((weak)) unsigned slowpath_thread_keys;

static inline __attribute__((unused)) int pthread_key_create(pthread_key_t *key, void (*destroy)(void *)) {
    (void)destroy;
    if (slowpath_thread_keys == SLOWPATH_THREAD_VALUES)
        return 6; /* EAGAIN */
    *key = slowpath_thread_keys++;
    return 0;
}

static inline __attribute__((unused)) int pthread_key_delete(pthread_key_t key) {
    slowpath_thread_values[key] = 0;
    return 0;
}

static inline __attribute__((unused)) void *pthread_getspecific(pthread_key_t key) {
    return (void *)slowpath_thread_values[key];
}

static inline __attribute__((unused)) int pthread_setspecific(pthread_key_t key, const void *value) {
    slowpath_thread_values[key] = value;
    return 0;
}

#ifdef __cplusplus
}
#endif

#endif
