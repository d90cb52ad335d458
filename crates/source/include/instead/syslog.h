/* The system's log: what is written to it is seen by nobody. */
#ifndef SLOWPATH_SYSLOG_H
#define SLOWPATH_SYSLOG_H

#include <stdarg.h>
#include <slowpath_absent.h>

#define LOG_EMERG 0
#define LOG_ALERT 1
#define LOG_CRIT 2
#define LOG_ERR 3
#define LOG_WARNING 4
#define LOG_NOTICE 5
#define LOG_INFO 6
#define LOG_DEBUG 7
#define LOG_PRIMASK 7
#define LOG_PRI(p) ((p) & LOG_PRIMASK)
#define LOG_MASK(p) (1 << (p))
#define LOG_UPTO(p) ((1 << ((p) + 1)) - 1)
#define LOG_KERN (0 << 3)
#define LOG_USER (1 << 3)
#define LOG_MAIL (2 << 3)
#define LOG_DAEMON (3 << 3)
#define LOG_AUTH (4 << 3)
#define LOG_SYSLOG (5 << 3)
#define LOG_CRON (9 << 3)
#define LOG_AUTHPRIV (10 << 3)
#define LOG_LOCAL0 (16 << 3)
#define LOG_LOCAL7 (23 << 3)
#define LOG_PID 1
#define LOG_CONS 2
#define LOG_ODELAY 4
#define LOG_NDELAY 8
#define LOG_NOWAIT 16
#define LOG_PERROR 32

SLOWPATH_NOTHING(openlog, const char *name, int options, int facility)
SLOWPATH_NOTHING(closelog, void)
SLOWPATH_NOTHING(syslog, int priority, const char *format, ...)
SLOWPATH_NOTHING(vsyslog, int priority, const char *format, va_list rest)
SLOWPATH_ABSENT(int, mask, setlogmask, int mask)

#endif
