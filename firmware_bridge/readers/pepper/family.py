"""What a Pepper C1 is to the rest of the program. Where its sources are is told in `codec`."""

from __future__ import annotations

from collections.abc import Sequence

from firmware_bridge.decode.dissect import Grammar
from firmware_bridge.driver import Driver
from firmware_bridge.family import Equipment, Family
from firmware_bridge.link.values import Value, ZoneScan
from firmware_bridge.readers.pepper import codec, words
from firmware_bridge.readers.pepper.disguise import begins_set, disguise
from firmware_bridge.readers.pepper.driver import Pepper

MOST_ANTENNAS = 8
"""Of a Pepper C1 MUX (C1 library, README: "Antenna multiplexer example")."""


def equipment(driver: Driver, values: Sequence[Value]) -> Equipment | None:
    """One antenna if it refuses to choose one; else eight."""
    if driver.trouble:
        return Equipment()
    if any(isinstance(value, ZoneScan) and not value.failed for value in values):
        return Equipment(MOST_ANTENNAS)
    return None


PEPPER = Family(
    name="pepper",
    protocol="pepper",
    baud=115200,
    reads="cards",
    most_zones=MOST_ANTENNAS,
    usual_zones=MOST_ANTENNAS,
    most_tags=None,
    answers_within_s=2.5,
    driver=lambda setup: Pepper(setup.now, setup.zones),
    equipment=equipment,
    grammar=Grammar(codec.scan, words.explain),
    noise=0x00,
    disguise=lambda raw, name, _zones: disguise(raw, name),
    begins_set=begins_set,
)
