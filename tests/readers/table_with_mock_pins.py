"""`cutcard table` with gpiozero's mock pins, which lines on standard input drive: `17 down`."""

from __future__ import annotations

import sys
import threading

from gpiozero import Device
from gpiozero.pins.mock import MockFactory

from controller.__main__ import main


def drive(factory: MockFactory) -> None:
    for line in sys.stdin:
        number, level = line.split()
        pin = factory.pin(int(number))
        if level == "down":
            pin.drive_low()
        else:
            pin.drive_high()


if __name__ == "__main__":
    Device.pin_factory = MockFactory()
    threading.Thread(target=drive, args=[Device.pin_factory], daemon=True).start()
    sys.exit(main(["table", *sys.argv[1:]]))
