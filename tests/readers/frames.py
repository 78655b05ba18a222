"""Streams of every codec for the tests: the vectors, and random frames."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from hypothesis import strategies as st
from msgspec import Struct

from firmware_bridge.decode.stream import Splitter
from firmware_bridge.families import READERS
from firmware_bridge.readers.feig import codec as feig
from firmware_bridge.readers.pepper import codec as pepper
from firmware_bridge.readers.pn532 import codec as pn532
from firmware_bridge.readers.rdm6300 import codec as rdm6300
from firmware_bridge.readers.yrm100 import codec as yrm100


class Vector(Struct, frozen=True):
    protocol: str
    hex: str
    meaning: str
    source: str
    kind: str
    valid: bool
    expect: dict[str, Any] = {}

    @property
    def data(self) -> bytes:
        return bytes.fromhex(self.hex)

    def __str__(self) -> str:
        return f"{self.protocol}: {self.meaning}"


VECTORS = [
    Vector(**each) for each in json.loads((Path(__file__).parent / "vectors.json").read_text())
]
VALID = [vector for vector in VECTORS if vector.valid]

SPLITTERS: dict[str, Callable[[], Splitter[Any]]] = {
    family.protocol: partial(Splitter, family.grammar.scan) for family in READERS
}
LONGEST = {
    "pn532": pn532.MAX_LENGTH + 16,
    "feig": feig.MAX_LENGTH,
    "pepper": pepper.LONGEST,
    "rdm6300": rdm6300.SIZE,
    "yrm100": yrm100.MAX_DATA + 7,
}
"""No splitter may hold more."""

byte = st.integers(0, 255)
FRAMES: dict[str, st.SearchStrategy[bytes]] = {
    "pn532": st.builds(pn532.encode, byte, st.binary(max_size=pn532.MAX_LENGTH - 2))
    | st.just(pn532.ACK),
    "feig": st.builds(
        feig.encode,
        st.builds(feig.Frame, byte, byte, st.binary(max_size=300), st.booleans()),
    ),
    "pepper": st.builds(
        pepper.encode, st.builds(pepper.Frame, byte, st.binary(max_size=pepper.MAX_LENGTH - 3))
    ),
    "rdm6300": st.builds(rdm6300.encode, byte, st.integers(0, 2**32 - 1)),
    "yrm100": st.builds(
        yrm100.encode, byte, st.binary(max_size=yrm100.MAX_DATA), st.sampled_from(yrm100.Type)
    ),
}
"""Streams of one frame each."""
