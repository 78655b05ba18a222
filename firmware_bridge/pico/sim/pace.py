"""Simulated time: what each step costs on a Pico, so that cycles can be told without one.

Without a Pace the firmware runs as fast as this computer does. With one its clock moves only
by what is charged: the bits of each SPI frame, how long the PN5180 keeps BUSY high (pn5180.py),
what goes over the air, and Python.

**What Python costs is an estimate and not verified on hardware.** MicroPython's unix port takes
0.57 us at best for one SPI frame of the driver (five calls of a pin or the bus) and 0.44 us for
one turn of a wait (a pin, a look at the clock), on the machine this was written on; an RP2040 at
125 MHz is taken to be 140 times as slow. It fits what was measured in public: 18 us from one
pin's edge to another's in a loop of Python with two such calls (hackster.io, clovisf, *How fast
is Raspberry Pi Pico*). Not charged are frames to the host (about a millisecond each), collecting
garbage (some milliseconds, once in 32 KB), and that the clock's numbers no longer fit 30 bits
after 18 minutes, which makes sums with them slower.
"""

from __future__ import annotations

from msgspec import Struct

SET_CLOCK = 16
"""The request by which the firmware's side moves the board's clock."""


class Pace(Struct, frozen=True):
    """Microseconds of Python around each call of a pin or bus, and around a look at the clock."""

    call_us: int = 15
    look_us: int = 30

    def environment(self) -> dict[str, str]:
        """How the firmware's process is told."""
        return {"CUTCARD_SIM_PACE": f"{self.call_us} {self.look_us}"}


class SteppedClock:
    """Seconds that pass when it is set."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        """Return the seconds since boot."""
        return self.now

    def set_us(self, data: bytes) -> None:
        """Set it to so many microseconds."""
        self.now = int.from_bytes(data, "little") / 1e6
