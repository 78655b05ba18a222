"""What was asked of the clock, as it is kept and shown: pure."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from controller.room.acts import Act, Change, Insert, Remove
from controller.room.clock import ClockState
from controller.room.entering import Import
from controller.room.structure import Structure

KNOWN = "known"
"""In what an act carried: what is known of it beside that."""
_KEPT_ELSEWHERE = ("actor", "revision")


class Where(Struct, frozen=True):
    """A place in the structure: a level, or with `on_break` the break after it. `left_ms` is what
    the clock had left there; `ended_break`: it came there by the end of a called break."""

    level: int
    on_break: bool = False
    left_ms: int | None = None
    ended_break: bool = False


class Did(Struct, frozen=True):
    """What was asked, by whom and when: `at_ms` is the room's time, `wall_ms` the wall clock's.

    `words` are what it carried, as JSON. `refused` says why nothing came of it; else it is empty.
    `where` is the entry that was edited, or where the clock stood when it was done.
    """

    at_ms: int
    wall_ms: int
    actor: str
    name: str
    words: str = ""
    refused: str = ""
    where: Where | None = None


def words(act: Act, known: Mapping[str, object] | None = None) -> str:
    """What an act carried and what is `known` of it; nothing where that was nothing. The players
    of a file are in the register, and not here."""
    elsewhere = (*_KEPT_ELSEWHERE, "players") if isinstance(act, Import) else _KEPT_ELSEWHERE
    carried = {
        name: value
        for field, name in zip(act.__struct_fields__, act.__struct_encode_fields__, strict=True)
        if name not in elsewhere and (value := getattr(act, field)) not in (None, "", ())
    }
    if known:
        carried[KNOWN] = known
    return msgspec.json.encode(carried).decode() if carried else ""


def where(before: ClockState, after: ClockState, act: Act, now_ms: int) -> Where:
    """What an act on the clock was about."""
    match act:
        case Remove(index=index):
            return _place(before.structure, index)
        case Change(index=index) | Insert(index=index):
            return _place(after.structure, index)
    return replace(
        _place(after.structure, after.index),
        on_break=after.on_break,
        left_ms=after.left_ms(now_ms),
        ended_break=before.called is not None and after.called is None,
    )


def _place(structure: Structure, index: int) -> Where:
    reached = structure.entries[: index + 1]
    return Where(sum(each.blinds is not None for each in reached), reached[-1].blinds is None)
