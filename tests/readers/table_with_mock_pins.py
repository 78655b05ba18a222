"""`cutcard table` with gpiozero's mock pins; lines on standard input say which of them is held down
for how many seconds: `17 0.2`."""

from __future__ import annotations

import sys
import threading
import time

from gpiozero import Device
from gpiozero.pins.mock import MockFactory

from controller.__main__ import main


def drive(factory: MockFactory) -> None:
    for line in sys.stdin:
        number, held = line.split()
        pin = factory.pin(int(number))
        for move in (pin.drive_low, pin.drive_high, pin.drive_low):  # it bounces
            move()
        for _ in range(10):  # so that the service has its turns between them
            time.sleep(float(held) / 10)
        pin.drive_high()


if __name__ == "__main__":
    Device.pin_factory = MockFactory()
    threading.Thread(target=drive, args=[Device.pin_factory], daemon=True).start()
    sys.exit(main(["table", *sys.argv[1:]]))
