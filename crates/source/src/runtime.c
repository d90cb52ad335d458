/* What happens where C++ throws: the run ends in a trap, since WebAssembly as slowpath runs it has no exceptions. Nothing is
 * caught. The object that is thrown gets a place of its own, because its constructor runs before. */
enum { PLACE = 1 << 14 };

void *__cxa_allocate_exception(unsigned long size) {
    static _Alignas(16) char place[PLACE];
    if (size > PLACE)
        __builtin_trap();
    return place;
}

void __cxa_free_exception(void *object) { (void)object; }

__attribute__((import_module("slowpath"), import_name("thrown"))) void slowpath_thrown(const char *type);

/* What typeid gives: a table of functions, and the name as the compiler writes it. */
struct type {
    const void *functions;
    const char *name;
};

void __cxa_throw(void *object, struct type *type, void (*destroy)(void *)) {
    (void)object, (void)destroy;
    slowpath_thrown(type->name);
    __builtin_trap();
}

void __cxa_rethrow(void) { __builtin_trap(); }
