"""Blind structures for the desk's page: those that come along, made to measure, or from a file."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from controller.contract.events import Blinds
from controller.contract.misfit import misfit
from controller.contract.observations import nearest
from controller.files.settings import config_dir
from controller.room.fitting import Breaks, fit
from controller.room.structure import (
    Structure,
    StructureError,
    falling_antes,
    load_structure,
    named_structures,
    read_structure,
)

Count = Annotated[int, Meta(ge=0, le=100_000)]
Chips = Annotated[int, Meta(ge=1, le=10**9)]


class Shipped(Struct, frozen=True):
    """The structures that come along, by the names of their files."""

    structures: dict[str, Structure]


class Fitted(Struct, frozen=True):
    """One structure, made or read; nothing plays it yet. `ante_falls` are levels with a smaller
    ante than before."""

    structure: Structure
    ante_falls: tuple[Blinds, ...]


class Wish(Struct, frozen=True, forbid_unknown_fields=True):
    """What a structure is to be made for. `source` is one that comes along, `chips` are the values
    that there are, comma between; `every` and `length` are the minutes of play and of break."""

    players: Count
    hours: float
    source: str = ""
    stack: Chips | None = None
    chips: Annotated[str, Meta(max_length=200)] = ""
    every: Count = 0
    length: Count = 0
    ante: bool = False


def shipped() -> Shipped:
    """All of them."""
    found = named_structures(config_dir() / "blinds")
    return Shipped({name: load_structure(path) for name, path in found.items()})


def fitted(asked: Mapping[str, str]) -> Fitted:
    """The structure for a wish as it stands in an address; what is empty was not wished.

    Raises StructureError, with one line for who asked.
    """
    given = {name: value for name, value in asked.items() if value}
    for name in given:
        if name not in Wish.__struct_fields__:
            known = list(Wish.__struct_fields__)
            raise StructureError(f"there is no '{name[:40]}'{nearest(name[:40], known)}")
    try:
        wish = msgspec.convert(given, Wish, strict=False)
    except msgspec.ValidationError as error:
        raise StructureError(misfit(error, Wish).words[:200]) from None
    return _looked_at(
        fit(
            _start(wish),
            players=wish.players,
            hours=wish.hours,
            chips=_values(wish.chips),
            breaks=Breaks(wish.every, wish.length) if wish.every else None,
            ante=wish.ante,
        )
    )


def from_file(data: bytes) -> Fitted:
    """What a structure's file has in it. Raises StructureError, with one line for who asked."""
    return _looked_at(read_structure(data))


def _looked_at(structure: Structure) -> Fitted:
    return Fitted(structure, falling_antes(structure))


def file_name(structure: Structure) -> str:
    """What a structure's file is called."""
    words = re.sub(r"[^a-z0-9]+", "-", structure.name.lower()).strip("-")
    return f"{words[:60] or 'blinds'}.toml"


def _start(wish: Wish) -> Structure | int:
    if not wish.source:
        if wish.stack is None:
            raise StructureError("a starting stack is needed")
        return wish.stack
    known = named_structures(config_dir() / "blinds")
    if wish.source not in known:
        hint = nearest(wish.source[:40], list(known))
        raise StructureError(f"there is no structure '{wish.source[:40]}'{hint}")
    source = load_structure(known[wish.source])
    return source if wish.stack is None else replace(source, stack=wish.stack)


def _values(text: str) -> tuple[int, ...]:
    parts = [part.strip() for part in text.split(",") if part.strip()]
    if len(parts) > 20 or not all(re.fullmatch(r"[0-9]{1,9}", part) for part in parts):
        raise StructureError(f"'{text}' are not chips: whole numbers, separated by commas")
    return tuple(int(part) for part in parts)
