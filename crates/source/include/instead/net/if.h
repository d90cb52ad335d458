/* Network interfaces: there are none. */
#ifndef SLOWPATH_NET_IF_H
#define SLOWPATH_NET_IF_H

#include <sys/socket.h>
#include <slowpath_absent.h>

#define IF_NAMESIZE 16
#define IFNAMSIZ IF_NAMESIZE
#define IFF_UP 0x1
#define IFF_LOOPBACK 0x8
#define IFF_RUNNING 0x40

struct if_nameindex {
    unsigned int if_index;
    char *if_name;
};

SLOWPATH_ABSENT(unsigned int, 0, if_nametoindex, const char *name)
SLOWPATH_ABSENT(char *, 0, if_indextoname, unsigned int index, char *name)
SLOWPATH_ABSENT(struct if_nameindex *, 0, if_nameindex, void)
SLOWPATH_NOTHING(if_freenameindex, struct if_nameindex *list)

#endif
