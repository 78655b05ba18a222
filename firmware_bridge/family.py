"""What the rest of the program knows of a kind of device at a serial port: one value for each.

Whatever else is true of a kind stays in its own folder.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

from msgspec import Struct

from firmware_bridge.decode.dissect import Grammar
from firmware_bridge.disguise import Name, Page
from firmware_bridge.driver import Driver
from firmware_bridge.link.messages import Hello
from firmware_bridge.link.values import Value, ZoneScan

Parity = Literal["none", "even", "odd"]

Reads = Literal["cards", "puck", "chips"]
"""What lies before its antennas. Where the puck or chips are read, nothing is said of cards."""

ANY_ADDRESS = 255
"""At which a device answers whatever its own address on its bus is."""


class Setup(Struct, frozen=True):
    """How a driver begins, at `now` on the clock that all its times are of.

    `zones` are as many as are wired, `address` is the device's on its bus. `welcome` says whether
    a board that answers is the one that is wanted; it may be silent for `late` times as long as
    usual before it is lost.
    """

    now: float
    zones: int = 1
    address: int = ANY_ADDRESS
    welcome: Callable[[Hello], bool] = lambda _: True
    late: float = 1.0


class Equipment(Struct, frozen=True):
    """What a device that answers has: antennas, buttons and lamps. `id` is a board's, in hex."""

    zones: int = 1
    buttons: int = 0
    lamps: int = 0
    id: str = ""


class Family(Struct, frozen=True, kw_only=True, eq=False):
    """One kind of device: what it is, what it can and can't do, and how it is spoken to.

    `name` is what it is called in `table.toml`, `protocol` what its frames are called on the
    bench; `baud` and `parity` are as it is delivered.

    `most_zones` is how many antennas one may have, `usual_zones` how many it is taken to have
    until it tells, and `most_tags` how many tags an antenna reads at once (None: as many as fit).
    If `is_board`, it is a microcontroller: it tells what it has, which need not be antennas, has
    an id of its own and carries out commands. If `has_address`, several can share a line.

    One that is there answers within `answers_within_s`: its first exchange, and once more.
    `unheard` tells a person why it may be there and say nothing; empty if it would not.
    `equipment` says what a driver that is up has found, given all it said; None for as long as
    that is not certain.

    `disguise` gives an intact frame of a device of so many zones with other UIDs, or what may lie
    between frames as it is; None if there is no such frame. `noise` is a byte that means nothing
    to the driver, however many of it come. `begins_set` says whether these bytes, sent, ask for
    a new set of tags: then the rest of one that comes in several frames will not follow.
    """

    name: str
    protocol: str
    baud: int
    parity: Parity = "none"

    reads: Reads
    most_zones: int
    usual_zones: int
    most_tags: int | None
    is_board: bool = False
    has_address: bool = False

    answers_within_s: float
    unheard: str = ""
    driver: Callable[[Setup], Driver]
    equipment: Callable[[Driver, Sequence[Value]], Equipment | None]

    grammar: Grammar[Any]
    noise: int
    disguise: Callable[[bytes, Name, int], bytes | Page | None]
    begins_set: Callable[[bytes], bool] = lambda _: False

    def __repr__(self) -> str:
        return f"Family({self.name!r})"


def one_or(most: int) -> Callable[[Driver, Sequence[Value]], Equipment | None]:
    """The equipment of a reader that is asked by antenna: one if a person has to put that right,
    else as many as it may have; how many it has, nothing tells."""

    def equipment(driver: Driver, values: Sequence[Value]) -> Equipment | None:
        if driver.trouble:
            return Equipment()
        if any(isinstance(value, ZoneScan) and not value.failed for value in values):
            return Equipment(most)
        return None

    return equipment


def one_antenna(_driver: Driver, _values: Sequence[Value]) -> Equipment:
    """The equipment of a reader that has one antenna and nothing else."""
    return Equipment()
