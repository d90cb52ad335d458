/* Sizes of file systems: they are not told. */
#ifndef SLOWPATH_SYS_STATVFS_H
#define SLOWPATH_SYS_STATVFS_H

#include <slowpath_absent.h>

struct statvfs {
    unsigned long f_bsize, f_frsize;
    unsigned long long f_blocks, f_bfree, f_bavail, f_files, f_ffree, f_favail;
    unsigned long f_fsid, f_flag, f_namemax;
};

SLOWPATH_ABSENT(int, -1, statvfs, const char *path, struct statvfs *about)
SLOWPATH_ABSENT(int, -1, fstatvfs, int file, struct statvfs *about)

#endif
