"""What a Pepper C1 is to the rest of the program. Where its sources are is told in `codec`."""

from __future__ import annotations

from firmware_bridge.decode.dissect import Grammar
from firmware_bridge.family import Family, one_or
from firmware_bridge.readers.pepper import codec, words
from firmware_bridge.readers.pepper.disguise import begins_set, disguise
from firmware_bridge.readers.pepper.driver import Pepper

MOST_ANTENNAS = 8
"""Of a Pepper C1 MUX (C1 library, README: "Antenna multiplexer example")."""

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
    equipment=one_or(MOST_ANTENNAS),
    grammar=Grammar(codec.scan, words.explain, codec.LONGEST),
    noise=0x00,
    disguise=lambda raw, name, _zones: disguise(raw, name),
    begins_set=begins_set,
)
