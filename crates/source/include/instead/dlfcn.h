/* Libraries that a program loads while it runs: there are none. */
#ifndef SLOWPATH_DLFCN_H
#define SLOWPATH_DLFCN_H

#include <slowpath_absent.h>

#define RTLD_LAZY 1
#define RTLD_NOW 2
#define RTLD_NOLOAD 4
#define RTLD_NODELETE 0x1000
#define RTLD_GLOBAL 0x100
#define RTLD_LOCAL 0
#define RTLD_DEFAULT ((void *)0)
#define RTLD_NEXT ((void *)-1)

typedef struct {
    const char *dli_fname;
    void *dli_fbase;
    const char *dli_sname;
    void *dli_saddr;
} Dl_info;

SLOWPATH_ABSENT(void *, 0, dlopen, const char *file, int mode)
SLOWPATH_ABSENT(void *, 0, dlsym, void *handle, const char *name)
SLOWPATH_ABSENT(int, -1, dlclose, void *handle)
SLOWPATH_ABSENT(int, 0, dladdr, const void *address, Dl_info *about)
SLOWPATH_ABSENT(char *, (char *)"no libraries are loaded here", dlerror, void)

#endif
