"""FEIG readers by name, and what is documented of several antennas at each.

`model` reads the type that a reader tells with its version (SW-TYPE: H60301, 5.4; H01000, 5.4).
Two of the codes are in manuals: 0x21 in that of the ID ISC.M02.M8-B (H90400, 5.4) and 0x32 in that
of the ID ISC.MU02.02 (H90701, 9.5.1). The others are **unverified**: they are from a driver of
others (shahu1200/FastGate, python-itek-feig, feig_reader_ids.py), which has these two as well.

How antennas are chosen, as far as public manuals tell:

- ID ISC.MR100, MR101, PR100, PR101, PRH101 (H01000, H60301), ID ISC.MR200 (H40801), LR200 (H90692):
  an inventory has no field for an antenna (H60301, 6.1.1; H40801, 6.1.1). Several hang on an
  antenna multiplexer, ID ISC.ANT.MUX (H30701); H40801, 3.10 names it at the MR200.
- ID ISC.MR102 (H01113), LR2500, LRM2500 (H01112): those manuals' pages have not been seen; they
  are taken to be like the MR200. **Unverified.**
- ID ISC.M02.M8: a module with eight antennas of its own (H90400). How one is chosen has not been
  seen. **Unverified**: it is asked like the others.
- ID CPR30, CPR40 and others, *classic-pro* (H01114, H20800): desktop readers with one antenna.
- UHF (ID ISC.MU02.02, MRU102, LRU): an inventory by antenna, MODE bit 4 and ANT_SEL (H90701,
  10.1.1). Not for cards, which they read across several seats; the driver says so.
"""

from __future__ import annotations

from msgspec import Struct

_SW_TYPE = 5
"""Where it stands in the answer, after its status."""


class Model(Struct, frozen=True):
    """A kind of reader."""

    name: str
    is_uhf: bool = False


MODELS = {
    31: Model("ID ISC.M02"),
    33: Model("ID ISC.M02.M8"),
    43: Model("ID ISC.LR2500-B"),
    44: Model("ID ISC.LR2500-A"),
    45: Model("ID ISC.LR1002"),
    50: Model("ID ISC.MU02", is_uhf=True),
    54: Model("ID ISC.MRU102", is_uhf=True),
    60: Model("ID ISC.PRH101"),
    62: Model("ID ISC.PRHD102"),
    63: Model("ID ISC.PRH102"),
    71: Model("ID ISC.PRH100"),
    76: Model("ID ISC.MR101"),
    77: Model("ID ISC.MR102"),
    78: Model("ID ISC.MR101-U"),
    80: Model("ID CPR.M02"),
    81: Model("ID CPR.02"),
    82: Model("ID CPR40.30"),
    83: Model("ID CPR40.0x"),
    84: Model("ID CPR50"),
    85: Model("ID CPR44"),
    86: Model("ID CPR30"),
    89: Model("ID CPR46"),
    91: Model("ID ISC.LRU1002", is_uhf=True),
    94: Model("ID ISC.LRU3000", is_uhf=True),
    95: Model("ID ISC.LRU500i", is_uhf=True),
    114: Model("ID CPR74"),
}


def model(version: bytes) -> Model | None:
    """Return which reader gave this answer about its version; None if its type is not known."""
    return MODELS.get(version[_SW_TYPE]) if len(version) > _SW_TYPE else None
