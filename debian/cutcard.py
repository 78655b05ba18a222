#!/opt/cutcard/bin/python3 -I
"""The command `cutcard` of the Debian package."""

import sys

from controller.__main__ import main

if __name__ == "__main__":
    sys.exit(main())
