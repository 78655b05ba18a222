"""MicroPython's raw REPL for its unix port, which has none: run by it, on a pty.

By docs/reference/repl.rst of MicroPython: Ctrl-A enters, Ctrl-D runs what was sent (answered by OK,
the output, 04, the exception, 04) or, with nothing sent, resets; Ctrl-E A Ctrl-A asks for
paste mode, which is declined. A reset of the board ends it.
"""

import io
import os
import sys

BANNER = b"raw REPL; CTRL-B to exit\r\n>"


class Reset(BaseException):
    """machine.reset() was called."""


class Machine:
    """What the unix port's machine lacks."""

    def reset(self):
        raise Reset

    def bootloader(self):
        raise Reset


class Os:
    """A board's os: an empty path is the folder that one is in."""

    def __getattr__(self, name):
        return getattr(os, name)

    def stat(self, path):
        return os.stat(path or ".")


def run(code, names):
    """Run what was sent; return what is told of an exception."""
    try:
        exec(code, names)  # noqa: S102
    except Exception as error:
        text = io.StringIO()
        sys.print_exception(error, text)
        return text.getvalue().encode()
    return b""


def main():
    sys.modules["machine"] = Machine()
    sys.modules["os"] = Os()
    names, sent, raw = {}, b"", False
    read, write = sys.stdin.buffer.read, sys.stdout.buffer.write
    while True:
        byte = read(1)
        if not byte:
            return
        if byte == b"\x01" and sent != b"\x05A":
            raw, sent = True, b""
            write(BANNER)
        elif byte == b"\x02":
            raw, sent = False, b""
            write(b"\r\n>>> ")
        elif byte == b"\x03":
            sent = b""
        elif not raw:
            pass
        elif byte == b"\x01":
            sent = b""
            write(b"R\x00")
        elif byte == b"\x04":
            if not sent:
                names = {}
                write(b"OK\r\nMPY: soft reboot\r\n" + BANNER)
                continue
            write(b"OK")
            said = run(sent, names)
            write(b"\x04" + said + b"\x04>")
            sent = b""
        else:
            sent += byte


try:
    main()
except Reset:
    pass
