/* Terminals: nothing is one. */
#ifndef SLOWPATH_TERMIOS_H
#define SLOWPATH_TERMIOS_H

#include <slowpath_absent.h>

#define NCCS 32
typedef unsigned char cc_t;
typedef unsigned int speed_t, tcflag_t;
struct termios {
    tcflag_t c_iflag, c_oflag, c_cflag, c_lflag;
    cc_t c_line, c_cc[NCCS];
    speed_t c_ispeed, c_ospeed;
};

#define VINTR 0
#define VEOF 4
#define VTIME 5
#define VMIN 6
#define BRKINT 0x2
#define INPCK 0x10
#define ISTRIP 0x20
#define ICRNL 0x100
#define IXON 0x400
#define OPOST 0x1
#define CSIZE 0x30
#define CS8 0x30
#define ISIG 0x1
#define ICANON 0x2
#define ECHO 0x8
#define IEXTEN 0x8000
#define TCSANOW 0
#define TCSADRAIN 1
#define TCSAFLUSH 2
#define TCIFLUSH 0
#define TCOFLUSH 1
#define TCIOFLUSH 2

SLOWPATH_ABSENT(int, -1, tcgetattr, int file, struct termios *state)
SLOWPATH_ABSENT(int, -1, tcsetattr, int file, int when, const struct termios *state)
SLOWPATH_ABSENT(int, -1, tcflush, int file, int queue)
SLOWPATH_ABSENT(int, -1, tcdrain, int file)
SLOWPATH_ABSENT(speed_t, 0, cfgetispeed, const struct termios *state)
SLOWPATH_ABSENT(speed_t, 0, cfgetospeed, const struct termios *state)
SLOWPATH_ABSENT(int, -1, cfsetispeed, struct termios *state, speed_t speed)
SLOWPATH_ABSENT(int, -1, cfsetospeed, struct termios *state, speed_t speed)

#endif
