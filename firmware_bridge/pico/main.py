"""What a Pico runs when it is switched on. With GPIO 0 at ground there is a REPL instead."""

import micropython

micropython.kbd_intr(-1)  # the host may speak already, and its first byte is Ctrl-C's

import hal  # noqa: E402
import wiring  # noqa: E402
from device import Device  # noqa: E402


def main():
    """Run the firmware on this board."""
    board = hal.Board()
    if board.wants_repl():
        micropython.kbd_intr(3)
    else:
        Device(board, wiring, hal.Console(), hal.ticks_us, hal.ticks_diff).run()


main()
