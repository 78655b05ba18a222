"""A Pico's wiring file, read on this side too: the same file says what is soldered where."""

from __future__ import annotations

import runpy
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct, convert

from firmware_bridge.pico import SHIPPED


class Border(Struct, frozen=True):
    """Where zones of this Pico meet another's, and the pins of the two wires between them."""

    zones: tuple[int, ...]
    ours: int
    theirs: int
    first: bool


class Wiring(Struct, frozen=True):
    """What the file says, by its names in lower case."""

    spi: tuple[int, int, int, int] | None
    readers: tuple[dict[str, Any], ...]
    zones: tuple[tuple[int, int], ...]
    neighbours: tuple[tuple[int, int], ...]
    borders: tuple[Border, ...]
    cycle_ms: int
    buttons: tuple[int, ...]
    lamps: tuple[int, int]
    spi_hz: int = 1_000_000
    visit_ms: int = 60


def load(path: Path) -> Wiring:
    """Return the wiring in a file; raises msgspec.ValidationError if it is none."""
    names: Mapping[str, Any] = runpy.run_path(str(path))
    return convert({name.lower(): value for name, value in names.items()}, Wiring)


__all__ = ["SHIPPED", "Border", "Wiring", "load"]
