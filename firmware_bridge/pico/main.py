"""What a Pico runs when it is switched on. With GPIO 0 at ground there is a REPL instead."""

import hal
import wiring
from device import Device


def main():
    """Run the firmware on this board."""
    board = hal.Board()
    if not board.wants_repl():
        Device(board, wiring, hal.Console(), hal.ticks_us, hal.ticks_diff).run()


main()
