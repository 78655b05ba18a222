"""What a FEIG OBID reader is to the rest of the program: one of HF, by itself or with an antenna
multiplexer (see `models` for which). Its line is as H20800 has it."""

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
"""The outputs of an ID ISC.ANT.MUX (H30701, 2.2.3)."""


def equipment(driver: Driver, values: Sequence[Value]) -> Equipment | None:
    """One antenna if no multiplexer lets itself be switched; else several, and not how many."""
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
    grammar=Grammar(codec.scan, words.explain),
    noise=0x00,
    disguise=lambda raw, name, _zones: disguise(raw, name),
    begins_set=begins_set,
)
