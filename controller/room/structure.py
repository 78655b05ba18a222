"""Blind structures: the levels and breaks of a tournament, from `config/blinds/*.toml`."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from controller.contract.events import AnteBy, Blinds
from controller.contract.misfit import misfit, unknown_field
from controller.contract.observations import nearest
from firmware_bridge.sensed import MOST_CHIPS, Chips

Minutes = Annotated[float, Meta(le=24 * 60)]
Value = Annotated[int, Meta(ge=1, le=MOST_CHIPS)]

MOST_ANTE = 2
"""An ante is at most so many big blinds; one for the whole table is one big blind."""
LEAST_MS = 1_000
"""What is shorter is no level."""
MINUTE_MS = 60_000


class StructureError(ValueError):
    """A blind structure that cannot be played or read: names the level, the fault and, where
    a word is wrong, the nearest valid one."""


class Entry(Struct, frozen=True):
    """A level with its blinds, or a break, which has none.

    `race_off` are the chips that leave play as it begins, each taken in for larger ones.
    """

    duration_ms: int
    blinds: Blinds | None
    race_off: tuple[int, ...] = ()


class Structure(Struct, frozen=True):
    """What is played one after another; at least one entry is a level.

    `stack` is what each player starts with and `chips` the values in play at the start, the
    smallest first; None and empty where the schedule is for any. `note` says whom it is for;
    `ante_by` who posts the antes.
    """

    name: str
    entries: tuple[Entry, ...]
    stack: int | None = None
    chips: tuple[int, ...] = ()
    note: str = ""
    ante_by: AnteBy = "each"


class _Line(Struct, frozen=True):
    minutes: Minutes
    small: Chips | None = None
    big: Chips | None = None
    ante: Chips = 0
    on_break: bool = msgspec.field(default=False, name="break")
    race_off: Annotated[tuple[Value, ...], Meta(max_length=10)] = ()


class _File(Struct, frozen=True):
    name: Annotated[str, Meta(min_length=1, max_length=60)]
    level: Annotated[tuple[_Line, ...], Meta(max_length=200)]
    note: Annotated[str, Meta(max_length=200)] = ""
    stack: Value | None = None
    chips: Annotated[tuple[Value, ...], Meta(max_length=20)] = ()
    ante_by: AnteBy = "each"


def load_structure(path: Path) -> Structure:
    """Read a structure. Raises StructureError, with one line for the user."""
    try:
        return read_structure(path.read_bytes())
    except OSError as error:
        raise StructureError(f"{path}: {error.strerror}") from None
    except StructureError as error:
        raise StructureError(f"{path}: {error}") from None


def read_structure(data: bytes) -> Structure:
    """Read a structure from the text of its file, TOML or the same in JSON. Raises
    StructureError."""
    try:
        raw = _decoded(data)
        _refuse_unknown(raw, _File)
        file = msgspec.convert(raw, _File)
        entries = tuple(_entry(line, number) for number, line in enumerate(file.level, 1))
    except msgspec.ValidationError as error:
        raise StructureError(misfit(error, _File).words[:300]) from None
    except (ValueError, msgspec.MsgspecError, RecursionError) as error:
        raise StructureError(str(error)[:300]) from None
    structure = Structure(file.name, entries, file.stack, file.chips, file.note, file.ante_by)
    check(structure)
    return structure


def written(structure: Structure) -> str:
    """A structure as the text of its file."""
    lines = [f"name = {_quoted(structure.name)}"]
    if structure.note:
        lines.append(f"note = {_quoted(structure.note)}")
    if structure.stack is not None:
        lines.append(f"stack = {structure.stack}")
    if structure.chips:
        lines.append(f"chips = {list(structure.chips)}")
    if structure.ante_by != "each":
        lines.append(f"ante_by = {_quoted(structure.ante_by)}")
    for entry in structure.entries:
        lines += ["", "[[level]]", f"minutes = {entry.duration_ms / MINUTE_MS:.10g}"]
        if entry.blinds is None:
            lines.append("break = true")
        else:
            lines += [f"small = {entry.blinds.small}", f"big = {entry.blinds.big}"]
            if entry.blinds.ante:
                lines.append(f"ante = {entry.blinds.ante}")
        if entry.race_off:
            lines.append(f"race_off = {list(entry.race_off)}")
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    return msgspec.json.encode(text).decode()  # a TOML string is written as JSON's


def named_structures(folder: Path) -> Mapping[str, Path]:
    """The files of a `blinds` folder by the names that people give: those of the files."""
    return {path.stem: path for path in sorted(folder.glob("*.toml"))}


def find_structure(name: str, folder: Path) -> Structure:
    """The structure of that name, or in the file of that name. Raises StructureError."""
    known = named_structures(folder)
    if name in known:
        return load_structure(known[name])
    if name.endswith(".toml") or "/" in name:
        return load_structure(Path(name))
    near = nearest(name, list(known)) or f"; there are {', '.join(known)}"
    raise StructureError(f"no blind structure {name!r}{near}")


def check(structure: Structure) -> None:
    """Raise StructureError if this cannot be played: names the first level at fault, counted
    from 1 with the breaks among them, and what is wrong with it."""
    entries = structure.entries
    if not entries:
        raise StructureError("has no levels")
    if all(entry.blinds is None for entry in entries):
        raise StructureError("has only breaks and no levels")
    chips = _checked_chips(structure)
    before: Entry | None = None
    played: Blinds | None = None
    for number, entry in enumerate(entries, 1):
        where = _where(number, entry)
        if entry.duration_ms < LEAST_MS:
            raise StructureError(f"{where} has no length")
        if entry.blinds is None and before is None:
            raise StructureError(f"{where} comes first: the clock has to start with a level")
        if entry.blinds is None and number == len(entries):
            raise StructureError(f"{where} comes last: nothing is played after it")
        if entry.blinds is None and before is not None and before.blinds is None:
            raise StructureError(f"{where} follows a break: make the two one break")
        chips = _raced_off(chips, entry, where)
        if entry.blinds is not None:
            _check_level(entry.blinds, played, chips, where)
            played = entry.blinds
        before = entry


def smallest_chip(structure: Structure, index: int) -> int:
    """The smallest chip that is in play in the entry at `index`; 1 where chips are not told."""
    gone = {value for entry in structure.entries[: index + 1] for value in entry.race_off}
    return next((value for value in structure.chips if value not in gone), 1)


def falling_antes(structure: Structure) -> tuple[Blinds, ...]:
    """The levels whose ante is less than in the one before; antes are not cut as play goes on
    (TDA24-RP11B)."""
    played = [entry.blinds for entry in structure.entries if entry.blinds is not None]
    return tuple(now for before, now in pairwise(played) if now.ante < before.ante)


def raced_off(structure: Structure, index: int) -> tuple[int, ...]:
    """The chips that are taken in on the break at `index`, or else on the next one after it: those
    of the break, and of the level that begins as it ends."""
    entries = structure.entries
    at = next((n for n in range(index, len(entries)) if entries[n].blinds is None), None)
    return () if at is None else tuple(v for each in entries[at : at + 2] for v in each.race_off)


def colour_up(structure: Structure, index: int) -> tuple[int, tuple[int, ...]]:
    """The last colour-up by the entry at `index`: where it begins, and its chips, the smallest
    first. That of a break is also that of the level which begins as it ends."""
    entries = structure.entries
    last = index + 1 if entries[index].blinds is None else index
    for at in range(min(last, len(entries) - 1), -1, -1):
        if not entries[at].race_off:
            continue
        before = at - 1
        if before >= 0 and entries[before].blinds is None and entries[before].race_off:
            return before, tuple(sorted({*entries[before].race_off, *entries[at].race_off}))
        return at, tuple(sorted(entries[at].race_off))
    return index, ()


def _where(number: int, entry: Entry) -> str:
    if entry.blinds is None:
        return f"level {number} (break)"
    return f"level {number} ({entry.blinds.small}/{entry.blinds.big})"


def _checked_chips(structure: Structure) -> tuple[int, ...]:
    chips = structure.chips
    if any(one >= other for one, other in pairwise(chips)):
        raise StructureError(f"chips {list(chips)} are not in order from smallest to largest")
    if chips and structure.stack is not None and structure.stack % chips[0]:
        raise StructureError(f"a stack of {structure.stack} can't be made of chips of {chips[0]}")
    return chips


def _raced_off(chips: tuple[int, ...], entry: Entry, where: str) -> tuple[int, ...]:
    for value in entry.race_off:
        if value not in chips:
            known = ", ".join(map(str, chips)) or "no chips at all"
            raise StructureError(f"{where} races off chips of {value}; in play: {known}")
    left = tuple(value for value in chips if value not in entry.race_off)
    if chips and not left:
        raise StructureError(f"{where} races off the last chips in play")
    return left


def _check_level(blinds: Blinds, played: Blinds | None, chips: tuple[int, ...], where: str) -> None:
    if blinds.big <= 0:
        raise StructureError(f"{where} has no big blind")
    if blinds.small > blinds.big:
        raise StructureError(f"{where}: 'big' is less than 'small'")
    if blinds.ante > MOST_ANTE * blinds.big:
        raise StructureError(
            f"{where}: an ante of {blinds.ante} is more than {MOST_ANTE} big blinds"
        )
    if played is not None and (blinds.small < played.small or blinds.big < played.big):
        raise StructureError(f"{where} is lower than {played.small}/{played.big} before it")
    for amount in (blinds.small, blinds.big, blinds.ante):
        if chips and amount % chips[0]:
            raise StructureError(
                f"{where}: {amount} can't be paid, the smallest chip in play is {chips[0]}"
            )


def _decoded(data: bytes) -> dict[str, object]:
    text = data.removeprefix(b"\xef\xbb\xbf").lstrip()
    if not text.startswith(b"{"):  # no TOML begins so
        raw: dict[str, object] = msgspec.toml.decode(text)
        return raw
    found = msgspec.json.decode(text, type=dict[str, object])
    return _as_file(found) if "entries" in found else found


def _as_file(given: dict[str, object]) -> dict[str, object]:
    """What is published of a structure, in the words of its file."""
    _refuse_unknown(given, Structure)
    levels: list[dict[str, object]] = []
    for each in _tables(given["entries"]):
        entry = msgspec.convert(each, Entry)
        blinds = {"break": True} if entry.blinds is None else msgspec.to_builtins(entry.blinds)
        minutes = entry.duration_ms / MINUTE_MS
        levels.append({"minutes": minutes, "race_off": entry.race_off, **blinds})
    rest = {name: value for name, value in given.items() if name != "entries" and value is not None}
    return {**rest, "level": levels}


def _tables(value: object) -> list[dict[str, object]]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def _refuse_unknown(given: dict[str, object], kind: type[Struct]) -> None:
    found = unknown_field(given, kind)
    if found is not None and found.unknown is not None:
        level = next((part for part in found.at if isinstance(part, int)), None)
        where = "" if level is None else f"level {level + 1}: "
        hint = nearest(found.unknown, found.names)
        raise ValueError(f"{where}there is no key {found.unknown!r} here{hint}")


def _entry(line: _Line, number: int) -> Entry:
    duration_ms = round(line.minutes * MINUTE_MS)
    if line.on_break:
        if line.small is not None or line.big is not None or line.ante:
            raise ValueError(f"level {number}: a break has no 'small', 'big' or 'ante'")
        return Entry(duration_ms, None, line.race_off)
    if line.small is None or line.big is None:
        raise ValueError(f"level {number}: needs 'small' and 'big', or 'break = true'")
    return Entry(duration_ms, Blinds(line.small, line.big, line.ante), line.race_off)
