"""What a YRM100 is to the rest of the program. Its line is as the M100 protocol manual has it."""

from __future__ import annotations

from firmware_bridge.decode.dissect import Grammar
from firmware_bridge.family import Family, one_antenna
from firmware_bridge.readers.yrm100 import codec, words
from firmware_bridge.readers.yrm100.disguise import disguise
from firmware_bridge.readers.yrm100.driver import Yrm100

YRM100 = Family(
    name="yrm100",
    protocol="yrm100",
    baud=115200,
    reads="chips",
    most_zones=1,
    usual_zones=1,
    most_tags=None,
    answers_within_s=0.6,
    driver=lambda setup: Yrm100(setup.now, setup.zones),
    equipment=one_antenna,
    grammar=Grammar(codec.scan, words.explain, codec.LONGEST, may_end=codec.may_end),
    noise=0xFF,
    disguise=lambda raw, name, _zones: disguise(raw, name),
)
