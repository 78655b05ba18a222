"""What a FEIG OBID reader is to the rest of the program: one of HF, by itself or with an antenna
multiplexer (see `models` for which). Its line is as H20800 has it."""

from __future__ import annotations

from firmware_bridge.decode.dissect import Grammar
from firmware_bridge.family import Family, one_or
from firmware_bridge.readers.feig import codec, words
from firmware_bridge.readers.feig.disguise import begins_set, disguise
from firmware_bridge.readers.feig.driver import Feig

MOST_ANTENNAS = 8
"""The outputs of an ID ISC.ANT.MUX (H30701, 2.2.3)."""

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
    equipment=one_or(MOST_ANTENNAS),
    grammar=Grammar(codec.scan, words.explain, codec.MAX_LENGTH),
    noise=0x00,
    disguise=lambda raw, name, _zones: disguise(raw, name),
    begins_set=begins_set,
)
