"""What an RDM6300 is to the rest of the program. Figures are from its data sheet."""

from __future__ import annotations

from collections.abc import Sequence

from firmware_bridge.decode.dissect import Grammar
from firmware_bridge.driver import Driver
from firmware_bridge.family import Equipment, Family
from firmware_bridge.link.values import Value
from firmware_bridge.readers.rdm6300 import codec, words
from firmware_bridge.readers.rdm6300.disguise import disguise
from firmware_bridge.readers.rdm6300.driver import Rdm6300


def equipment(driver: Driver, _values: Sequence[Value]) -> Equipment | None:
    """One antenna, once a tag has come: nothing else tells that it is there."""
    return Equipment() if driver.decoder.frames else None


RDM6300 = Family(
    name="rdm6300",
    protocol="rdm6300",
    baud=9600,  # "UART output"
    reads="puck",
    most_zones=1,
    usual_zones=1,
    most_tags=1,
    answers_within_s=1.5,  # a tag is repeated every 65 ms: twenty times over
    unheard="an rdm6300 only speaks while a tag is on it",
    driver=lambda setup: Rdm6300(setup.now, setup.zones),
    equipment=equipment,
    grammar=Grammar(codec.scan, words.explain, codec.SIZE, may_end=codec.may_end),
    noise=0xFF,
    disguise=lambda raw, name, _zones: disguise(raw, name),
)
