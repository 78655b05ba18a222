"""What a microcontroller is to the rest of the program."""

from __future__ import annotations

from collections.abc import Sequence

from firmware_bridge.decode.dissect import Grammar
from firmware_bridge.driver import Driver
from firmware_bridge.family import Equipment, Family
from firmware_bridge.link.frames import MAX_ENCODED
from firmware_bridge.link.session import LOST_AFTER_S
from firmware_bridge.link.values import Value
from firmware_bridge.readers.pico import words
from firmware_bridge.readers.pico.disguise import disguise
from firmware_bridge.readers.pico.driver import LinkDriver


def equipment(driver: Driver, _values: Sequence[Value]) -> Equipment | None:
    """What it says of itself."""
    hello = driver.hello
    if hello is None:
        return None
    return Equipment(hello.zones, hello.buttons, hello.lamps, hello.unique_id.hex().upper())


PICO = Family(
    name="pico",
    protocol="link",
    baud=115200,  # of a UART (PROTOCOL.md); USB has none
    reads="cards",
    most_zones=64,
    usual_zones=13,  # nine seats, and one each for board, burn, muck and stub
    most_tags=None,
    is_board=True,
    answers_within_s=1.3,
    driver=lambda setup: LinkDriver(setup.now, setup.welcome, lost_after=LOST_AFTER_S * setup.late),
    equipment=equipment,
    grammar=Grammar(words.scan, words.explain, MAX_ENCODED + 1, may_end=words.may_end),
    noise=0xAA,
    disguise=lambda raw, name, _zones: disguise(raw, name),
)
