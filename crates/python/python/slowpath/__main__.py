"""The command `slowpath`, also as `python -m slowpath`."""

import sys

from . import _native
from .engine import command


def main() -> int:
    return _native.command(["slowpath", *sys.argv[1:]], command())


if __name__ == "__main__":
    sys.exit(main())
