"""What a PN532 is to the rest of the program. Figures are from its user manual (UM0701-02)."""

from __future__ import annotations

from firmware_bridge.decode.dissect import Grammar
from firmware_bridge.family import Family, one_antenna
from firmware_bridge.readers.pn532 import codec, words
from firmware_bridge.readers.pn532.disguise import disguise
from firmware_bridge.readers.pn532.driver import Pn532

PN532 = Family(
    name="pn532",
    protocol="pn532",
    baud=115200,  # of HSU, until it is told otherwise
    reads="cards",
    most_zones=1,
    usual_zones=1,
    most_tags=codec.MAX_TARGETS,  # 7.3.5
    answers_within_s=1.3,
    driver=lambda setup: Pn532(setup.now, setup.zones),
    equipment=one_antenna,
    grammar=Grammar(codec.scan, words.explain, codec.LONGEST, words.quiet, idle=b"\0"),
    noise=0xAA,
    disguise=lambda raw, name, _zones: disguise(raw, name),
)
