"""Changes of a blind structure while it is played: pure."""

from __future__ import annotations

from msgspec.structs import replace

from controller.room.clock import ClockState
from controller.room.structure import Entry, Structure
from firmware_bridge.sensed import MOST_CHIPS

LONGEST_MS = 24 * 60 * 60_000
SHORTEST_MS = 1_000
MAX_ENTRIES = 200


class EditError(ValueError):
    """A change that can't be made; the text is one line for whoever asked for it."""


def check(structure: Structure) -> None:
    """Raises EditError, which names the entry and its fault, for what can't be played."""
    if not structure.entries:
        raise EditError("a structure has at least one level")
    if len(structure.entries) > MAX_ENTRIES:
        raise EditError(f"a structure has at most {MAX_ENTRIES} levels and breaks")
    for number, entry in enumerate(structure.entries, 1):
        _check_entry(entry, f"entry {number}")
    if all(entry.blinds is None for entry in structure.entries):
        raise EditError("a structure has at least one level, and this one has only breaks")


def change(state: ClockState, index: int, entry: Entry, now_ms: int) -> ClockState:
    """Another entry in place of the one at `index`, which is in force or still to come.

    The one in force keeps the time that it has been played. Raises EditError.
    """
    _check_to_come(state, index, running=True)
    changed = _with_entries(
        state, [*state.structure.entries[:index], entry, *state.structure.entries[index + 1 :]]
    )
    if index != state.index:
        return changed
    if (entry.blinds is None) != (state.entry.blinds is None):
        raise EditError(
            "what is running can't be turned into a break or a level; go to another one"
        )
    longer_ms = entry.duration_ms - state.entry.duration_ms
    return longer(changed, longer_ms, now_ms, level=True) if longer_ms else changed


def insert(state: ClockState, index: int, entry: Entry) -> ClockState:
    """One more entry, before the one that is at `index` now; at the end where there is none.

    Raises EditError.
    """
    entries = state.structure.entries
    if not state.index < index <= len(entries):
        raise EditError(
            f"entries can be inserted at {state.index + 1} to {len(entries)}, after what is running"
        )
    return _with_entries(state, [*entries[:index], entry, *entries[index:]])


def remove(state: ClockState, index: int) -> ClockState:
    """The structure without an entry that is still to come. Raises EditError."""
    _check_to_come(state, index, running=False)
    entries = state.structure.entries
    return _with_entries(state, [*entries[:index], *entries[index + 1 :]])


def longer(state: ClockState, by_ms: int, now_ms: int, *, level: bool = False) -> ClockState:
    """More time for what runs, or less; with `level` for the level that a called break
    interrupts. Raises EditError where nothing would be left."""
    called = state.called
    if level and called is not None:
        left_ms = _left(called.left_ms, by_ms)
        shifted = replace(called, left_ms=left_ms, length_ms=called.length_ms + by_ms)
        return replace(state, called=shifted)
    left_ms = _left(state.left_ms(now_ms), by_ms)
    length_ms = max(state.length_ms + by_ms, left_ms)
    if state.runs:
        return replace(state, length_ms=length_ms, deadline_ms=now_ms + left_ms)
    return replace(state, length_ms=length_ms, remaining_ms=left_ms)


def clock_text(left_ms: int) -> str:
    """A duration as a clock shows it: 12:34, or 1:02:03."""
    seconds = left_ms // 1_000
    hours, minutes = divmod(seconds // 60, 60)
    head = f"{hours}:{minutes:02}" if hours else f"{minutes:02}"
    return f"{head}:{seconds % 60:02}"


def _left(left_ms: int, by_ms: int) -> int:
    if left_ms + by_ms <= 0:
        raise EditError(f"only {clock_text(left_ms)} is left; go to the next level instead")
    if left_ms + by_ms > LONGEST_MS:
        raise EditError("nothing lasts longer than 24 hours")
    return left_ms + by_ms


def _with_entries(state: ClockState, entries: list[Entry]) -> ClockState:
    structure = replace(state.structure, entries=tuple(entries))
    check(structure)
    return replace(state, structure=structure)


def _check_to_come(state: ClockState, index: int, *, running: bool) -> None:
    first, last = state.index + (not running), len(state.structure.entries) - 1
    if first > last:
        raise EditError("nothing comes after this")
    if not first <= index <= last:
        what = "what is running and what is to come" if running else "what is to come"
        raise EditError(f"only {what} can be changed: {first} to {last}")


def _check_entry(entry: Entry, where: str) -> None:
    if not SHORTEST_MS <= entry.duration_ms <= LONGEST_MS:
        raise EditError(f"{where}: has to last between a second and 24 hours")
    blinds = entry.blinds
    if blinds is None:
        return
    if not 0 <= blinds.small <= blinds.big <= MOST_CHIPS or not blinds.big:
        raise EditError(f"{where}: the big blind has to be above 0 and not below the small blind")
    if not 0 <= blinds.ante <= MOST_CHIPS:
        raise EditError(f"{where}: that is not an ante")
