/* Processes that a program started: it cannot start any. */
#ifndef SLOWPATH_SYS_WAIT_H
#define SLOWPATH_SYS_WAIT_H

#include <sys/types.h>
#include <slowpath_absent.h>

#define WNOHANG 1
#define WUNTRACED 2
#define WEXITSTATUS(status) (((status) & 0xff00) >> 8)
#define WTERMSIG(status) ((status) & 0x7f)
#define WSTOPSIG(status) WEXITSTATUS(status)
#define WIFEXITED(status) (!WTERMSIG(status))
#define WIFSIGNALED(status) (((status) & 0xffff) - 1U < 0xffU)
#define WIFSTOPPED(status) (((status) & 0xff) == 0x7f)
#define WCOREDUMP(status) ((status) & 0x80)

SLOWPATH_ABSENT(pid_t, -1, wait, int *status)
SLOWPATH_ABSENT(pid_t, -1, waitpid, pid_t process, int *status, int options)

#endif
