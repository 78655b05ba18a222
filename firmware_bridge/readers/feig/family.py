"""What a FEIG OBID reader is to the rest of the program. Its line is as H20800 has it."""

from __future__ import annotations

from collections.abc import Sequence

from firmware_bridge.decode.dissect import Grammar
from firmware_bridge.driver import Driver
from firmware_bridge.family import Equipment, Family
from firmware_bridge.link.values import Value, ZoneScan
from firmware_bridge.readers.feig import codec, words
from firmware_bridge.readers.feig.disguise import begins_set, disguise
from firmware_bridge.readers.feig.driver import Feig

MOST_ANTENNAS = 8
"""One bit each in the byte that selects them for an inventory by antenna (H90701, page 76)."""


def equipment(driver: Driver, values: Sequence[Value]) -> Equipment | None:
    """One antenna if it refuses to be asked by antenna; else several, and not how many."""
    if driver.trouble:
        return Equipment()
    if any(isinstance(value, ZoneScan) and not value.failed for value in values):
        return Equipment(MOST_ANTENNAS)
    return None


FEIG = Family(
    name="feig",
    protocol="feig",
    baud=38400,
    parity="even",
    reads="cards",
    most_zones=MOST_ANTENNAS,
    usual_zones=MOST_ANTENNAS,
    most_tags=None,
    has_address=True,
    answers_within_s=1.6,
    driver=lambda setup: Feig(setup.now, setup.zones, setup.address),
    equipment=equipment,
    grammar=Grammar(codec.scan, words.explain, codec.MAX_LENGTH),
    noise=0x00,
    disguise=lambda raw, name, zones: disguise(raw, name, by_antenna=zones > 1),
    begins_set=begins_set,
)
