/* What throwing, choosing a handler, catching and throwing again do, for code in which `exceptions` made unwinding a return: while an exception
 * is on its way, slowpath_unwinding is its object, and every function returns to its caller. After the Itanium C++ ABI. */

void *malloc(unsigned long size);
void free(void *memory);

/* Tells the host which exception is on its way, by the name of its type; null: none. One that is still so at the end was not caught. */
__attribute__((import_module("slowpath"), import_name("in_flight"))) void slowpath_in_flight(const char *type);

/* What typeid gives: a table of functions, and the name as the compiler writes it. */
struct type {
    void *const *functions;
    const char *name;
};

/* libc++abi's type descriptions have two destructors, two functions for the sake of position, and then this one: whether a handler of this
 * type is for an object of that, and where in the object it begins. */
enum { CAN_CATCH = 4 };
typedef _Bool can_catch(const struct type *handler, const struct type *thrown, void **object);

/* Lies in front of the object that is thrown. */
struct exception {
    _Alignas(16) const struct type *type;
    void *(*destroy)(void *);
    /* The part of the object that the handler names. */
    void *part;
    /* Caught before, and not left yet. */
    struct exception *below;
    int handlers;
    _Bool thrown_again;
};

void *slowpath_unwinding;
static struct exception *caught;

static struct exception *of(void *object) { return (struct exception *)object - 1; }

static void unwind(void *object) {
    /* One more while another is on its way: it came through code of a library that knows nothing of exceptions. */
    if (slowpath_unwinding)
        __builtin_trap();
    slowpath_unwinding = object;
    slowpath_in_flight(of(object)->type->name);
}

void *__cxa_allocate_exception(unsigned long size) {
    struct exception *exception = malloc(sizeof(struct exception) + size);
    if (!exception)
        __builtin_trap();
    *exception = (struct exception){0};
    return exception + 1;
}

void __cxa_free_exception(void *object) { free(of(object)); }

void __cxa_throw(void *object, struct type *type, void *(*destroy)(void *)) {
    of(object)->type = type;
    of(object)->destroy = destroy;
    unwind(object);
}

/* The first clause that is for the exception, as the address of its type; 1 if it is for all, 0 if none is. */
int slowpath_select(void *object, const struct type *const *clauses, int count) {
    for (int i = 0; i < count; i++) {
        void *part = object;
        const struct type *clause = clauses[i];
        if (!clause || ((can_catch *)clause->functions[CAN_CATCH])(clause, of(object)->type, &part)) {
            of(object)->part = part;
            return clause ? (int)clause : 1;
        }
    }
    return 0;
}

void slowpath_resume(void *object) { unwind(object); }

void *__cxa_get_exception_ptr(void *object) { return of(object)->part; }

void *__cxa_begin_catch(void *object) {
    struct exception *exception = of(object);
    exception->thrown_again = 0;
    if (exception->handlers++ == 0) {
        exception->below = caught;
        caught = exception;
    }
    slowpath_in_flight(0);
    return exception->part;
}

void __cxa_end_catch(void) {
    struct exception *exception = caught;
    if (!exception || --exception->handlers > 0)
        return;
    caught = exception->below;
    if (exception->thrown_again)
        return;
    if (exception->destroy)
        exception->destroy(exception + 1);
    free(exception);
}

void __cxa_rethrow(void) {
    if (!caught)
        __builtin_trap();
    caught->thrown_again = 1;
    unwind(caught + 1);
}
