/* Users as slowpath runs programs: there are none. */
#ifndef SLOWPATH_PWD_H
#define SLOWPATH_PWD_H

#include <stddef.h>
#include <sys/types.h>
#include <slowpath_absent.h>

struct passwd {
    char *pw_name, *pw_passwd;
    uid_t pw_uid;
    gid_t pw_gid;
    char *pw_gecos, *pw_dir, *pw_shell;
};

SLOWPATH_ABSENT(struct passwd *, 0, getpwnam, const char *name)
SLOWPATH_ABSENT(struct passwd *, 0, getpwuid, uid_t id)
SLOWPATH_ABSENT(struct passwd *, 0, getpwent, void)
SLOWPATH_ABSENT(int, (*found = 0, 0), getpwnam_r, const char *name, struct passwd *p, char *b, size_t n, struct passwd **found)
SLOWPATH_ABSENT(int, (*found = 0, 0), getpwuid_r, uid_t id, struct passwd *p, char *b, size_t n, struct passwd **found)
SLOWPATH_NOTHING(setpwent, void)
SLOWPATH_NOTHING(endpwent, void)

#endif
