/* For headers of what WebAssembly does not have: functions that say, as their manual does, that there is none. */
#ifndef SLOWPATH_ABSENT_H
#define SLOWPATH_ABSENT_H

#define SLOWPATH_ABSENT(result, value, name, ...) \
    static inline __attribute__((unused)) result name(__VA_ARGS__) { return value; }
#define SLOWPATH_NOTHING(name, ...) \
    static inline __attribute__((unused)) void name(__VA_ARGS__) {}

#endif
