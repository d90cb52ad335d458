/* Groups of users as slowpath runs programs: there are none. */
#ifndef SLOWPATH_GRP_H
#define SLOWPATH_GRP_H

#include <stddef.h>
#include <sys/types.h>
#include <slowpath_absent.h>

struct group {
    char *gr_name, *gr_passwd;
    gid_t gr_gid;
    char **gr_mem;
};

SLOWPATH_ABSENT(struct group *, 0, getgrnam, const char *name)
SLOWPATH_ABSENT(struct group *, 0, getgrgid, gid_t id)
SLOWPATH_ABSENT(struct group *, 0, getgrent, void)
SLOWPATH_ABSENT(int, (*found = 0, 0), getgrnam_r, const char *name, struct group *g, char *b, size_t n, struct group **found)
SLOWPATH_ABSENT(int, (*found = 0, 0), getgrgid_r, gid_t id, struct group *g, char *b, size_t n, struct group **found)
SLOWPATH_ABSENT(int, -1, setgroups, size_t count, const gid_t *list)
SLOWPATH_ABSENT(int, -1, initgroups, const char *user, gid_t id)
SLOWPATH_NOTHING(setgrent, void)
SLOWPATH_NOTHING(endgrent, void)

#endif
