/* Names of hosts and services: none is known. */
#ifndef SLOWPATH_NETDB_H
#define SLOWPATH_NETDB_H

#include <stddef.h>
#include <stdint.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <slowpath_absent.h>

struct addrinfo {
    int ai_flags, ai_family, ai_socktype, ai_protocol;
    socklen_t ai_addrlen;
    struct sockaddr *ai_addr;
    char *ai_canonname;
    struct addrinfo *ai_next;
};

struct hostent {
    char *h_name, **h_aliases;
    int h_addrtype, h_length;
    char **h_addr_list;
};
#define h_addr h_addr_list[0]

struct servent {
    char *s_name, **s_aliases;
    int s_port;
    char *s_proto;
};

struct protoent {
    char *p_name, **p_aliases;
    int p_proto;
};

struct netent {
    char *n_name, **n_aliases;
    int n_addrtype;
    uint32_t n_net;
};

#define AI_PASSIVE 0x01
#define AI_CANONNAME 0x02
#define AI_NUMERICHOST 0x04
#define AI_V4MAPPED 0x08
#define AI_ALL 0x10
#define AI_ADDRCONFIG 0x20
#define AI_NUMERICSERV 0x400
#define NI_NUMERICHOST 0x01
#define NI_NUMERICSERV 0x02
#define NI_NOFQDN 0x04
#define NI_NAMEREQD 0x08
#define NI_DGRAM 0x10
#define NI_MAXHOST 255
#define NI_MAXSERV 32
#define EAI_BADFLAGS -1
#define EAI_NONAME -2
#define EAI_AGAIN -3
#define EAI_FAIL -4
#define EAI_NODATA -5
#define EAI_FAMILY -6
#define EAI_SOCKTYPE -7
#define EAI_SERVICE -8
#define EAI_MEMORY -10
#define EAI_SYSTEM -11
#define EAI_OVERFLOW -12
#define HOST_NOT_FOUND 1
#define TRY_AGAIN 2
#define NO_RECOVERY 3
#define NO_DATA 4
#define NO_ADDRESS NO_DATA
#define h_errno HOST_NOT_FOUND

SLOWPATH_ABSENT(int, EAI_FAIL, getaddrinfo, const char *host, const char *service, const struct addrinfo *hints, struct addrinfo **found)
SLOWPATH_ABSENT(int, EAI_FAIL, getnameinfo, const struct sockaddr *a, socklen_t n, char *h, socklen_t hn, char *s, socklen_t sn, int flags)
SLOWPATH_ABSENT(const char *, "no names are known here", gai_strerror, int error)
SLOWPATH_ABSENT(const char *, "no names are known here", hstrerror, int error)
SLOWPATH_ABSENT(struct hostent *, 0, gethostbyname, const char *name)
SLOWPATH_ABSENT(struct hostent *, 0, gethostbyaddr, const void *address, socklen_t n, int family)
SLOWPATH_ABSENT(struct servent *, 0, getservbyname, const char *name, const char *protocol)
SLOWPATH_ABSENT(struct servent *, 0, getservbyport, int port, const char *protocol)
SLOWPATH_ABSENT(struct protoent *, 0, getprotobyname, const char *name)
SLOWPATH_ABSENT(struct protoent *, 0, getprotobynumber, int number)
SLOWPATH_NOTHING(freeaddrinfo, struct addrinfo *list)

#endif
