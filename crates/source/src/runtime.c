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

void __cxa_throw(void *object, void *type, void (*destroy)(void *)) {
    (void)object, (void)type, (void)destroy;
    __builtin_trap();
}

void __cxa_rethrow(void) { __builtin_trap(); }
