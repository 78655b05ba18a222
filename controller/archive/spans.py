"""Which events of a session are missing: pure arithmetic of ranges.

A session has come to event `top`; of 1 to `top` all are there but those in `missing`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from controller.archive.kept import Gap

MOST_SEQ = 2**53


class Progress(Struct, frozen=True):
    """How far a session is; `missing` is sorted and its ranges do not touch unless one is lost."""

    top: int
    missing: tuple[Gap, ...]


def take(
    before: Progress, blank: Gap, seqs: Iterable[int], reached: int = 0
) -> tuple[Progress, list[int]]:
    """What is there once `seqs` have come too, and which of them had not come before.

    `blank` has table, session and time for the gaps that open. The session has come to
    `reached` at least.
    """
    top, missing, fresh = before.top, list(before.missing), []
    for seq in sorted(set(seqs)):
        if seq > top:
            if seq > top + 1:
                missing.append(replace(blank, first=top + 1, last=seq - 1))
            top = seq
            fresh.append(seq)
            continue
        index = _holding(missing, seq)
        if index is None:
            continue
        missing[index : index + 1] = _without(missing[index], seq, seq)
        fresh.append(seq)
    if reached > top:
        missing.append(replace(blank, first=top + 1, last=reached))
        top = reached
    return Progress(top, tuple(missing)), fresh


def mark(missing: Sequence[Gap], part: Gap, change: Callable[[Gap], Gap]) -> list[Gap]:
    """The same ranges, with what of them lies in `part` changed."""
    marked: list[Gap] = []
    for gap in missing:
        first, last = max(gap.first, part.first), min(gap.last, part.last)
        if first > last:
            marked.append(gap)
            continue
        rest = _without(gap, first, last)
        marked += [each for each in rest if each.last < first]
        marked.append(change(replace(gap, first=first, last=last)))
        marked += [each for each in rest if each.first > last]
    return marked


def _holding(missing: Sequence[Gap], seq: int) -> int | None:
    for index, gap in enumerate(missing):
        if gap.first <= seq <= gap.last:
            return index
    return None


def _without(gap: Gap, first: int, last: int) -> list[Gap]:
    parts = []
    if gap.first < first:
        parts.append(replace(gap, last=first - 1))
    if gap.last > last:
        parts.append(replace(gap, first=last + 1))
    return parts
