"""Blind structures: the levels and breaks of a tournament, from `config/blinds/*.toml`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from controller.events import Blinds
from controller.observations import nearest

Minutes = Annotated[float, Meta(gt=0, le=24 * 60)]
Chips = Annotated[int, Meta(ge=0)]


class StructureError(ValueError):
    """A mistake in a blind structure file: names file, key and the nearest valid name."""


class Entry(Struct, frozen=True):
    """A level with its blinds, or a break, which has none."""

    duration_ms: int
    blinds: Blinds | None


class Structure(Struct, frozen=True):
    """What is played one after another; at least one entry is a level."""

    name: str
    entries: tuple[Entry, ...]


class _Line(Struct, frozen=True):
    minutes: Minutes
    small: Chips | None = None
    big: Chips | None = None
    ante: Chips = 0
    on_break: bool = msgspec.field(default=False, name="break")


class _File(Struct, frozen=True):
    name: str
    level: Annotated[tuple[_Line, ...], Meta(min_length=1, max_length=200)]


def load_structure(path: Path) -> Structure:
    """Read a structure. Raises StructureError, with one line for the user."""
    try:
        raw = msgspec.toml.decode(path.read_bytes())
        _refuse_unknown(raw, _File, "")
        for number, line in enumerate(_tables(raw.get("level")), 1):
            _refuse_unknown(line, _Line, f"level {number}: ")
        file = msgspec.convert(raw, _File)
        entries = tuple(_entry(line, number) for number, line in enumerate(file.level, 1))
    except OSError as error:
        raise StructureError(f"{path}: {error.strerror}") from None
    except (ValueError, msgspec.MsgspecError) as error:
        raise StructureError(f"{path}: {error}") from None
    if all(entry.blinds is None for entry in entries):
        raise StructureError(f"{path}: has breaks only, not one level")
    return Structure(file.name, entries)


def _tables(value: object) -> list[dict[str, object]]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def _refuse_unknown(given: dict[str, object], kind: type[Struct], where: str) -> None:
    known = kind.__struct_encode_fields__
    for key in given:
        if key not in known:
            raise ValueError(f"{where}no key {key!r} here{nearest(key, list(known))}")


def _entry(line: _Line, number: int) -> Entry:
    duration_ms = round(line.minutes * 60_000)
    if line.on_break:
        if line.small is not None or line.big is not None or line.ante:
            raise ValueError(f"level {number}: a break has no 'small', 'big' or 'ante'")
        return Entry(duration_ms, None)
    if line.small is None or line.big is None:
        raise ValueError(f"level {number}: needs 'small' and 'big', or 'break = true'")
    if line.big < line.small:
        raise ValueError(f"level {number}: 'big' is less than 'small'")
    return Entry(duration_ms, Blinds(line.small, line.big, line.ante))
