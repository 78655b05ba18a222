"""What is missing is asked for again: which events next, and what an answer means. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from controller.archive.kept import Gap

MOST_AT_ONCE = 500
"""Events of one request, and no table says more at once."""
MOST_ASKED = 5
"""So often a table may say that it has told them all, and they do not come."""
SETTLE_MS = 3_000
"""What is missing for less may be on the way."""
AGAIN_MS = 5_000
MOST_AGAIN_MS = 300_000
UNANSWERED_MS = 10_000


class Request(Struct, frozen=True):
    """One request to a table, sent at `at_ms`; without `gap` for the last event of each session
    that the table keeps."""

    id: str
    table: str
    at_ms: int
    gap: Gap | None = None


class NoAnswer(Struct, frozen=True):
    """A table did not answer, `times` in a row; it is left alone until `until_ms`."""

    times: int = 0
    until_ms: int = 0


def next_pieces(
    gaps: Iterable[Gap], *, now_ms: int, busy: Collection[str]
) -> tuple[list[Gap], list[Gap]]:
    """The pieces to be asked for now, at most one of each table that is not `busy`, and the gaps
    to be given up. A piece has as many gaps of a session as one request can, the newest first:
    tables forget from the other end."""
    due: dict[str, list[Gap]] = {}
    given_up = []
    for gap in gaps:
        if gap.asked >= MOST_ASKED:
            given_up.append(gap)
        elif gap.table not in busy and _is_due(gap, now_ms):
            due.setdefault(gap.table, []).append(gap)
    return [_piece(each) for each in due.values()], given_up


def _is_due(gap: Gap, now_ms: int) -> bool:
    wait_ms = min(AGAIN_MS * 2**gap.asked, MOST_AGAIN_MS)
    return now_ms - gap.since_ms >= SETTLE_MS and now_ms - gap.asked_ms >= wait_ms


def _piece(due: Sequence[Gap]) -> Gap:
    newest = max((gap for gap in due if gap.session == due[0].session), key=lambda gap: gap.last)
    least = max(1, newest.last - MOST_AT_ONCE + 1)
    within = [gap for gap in due if gap.session == newest.session and gap.last >= least]
    return replace(newest, first=max(least, min(gap.first for gap in within)))


def unkept(piece: Gap) -> Gap:
    """What a table does not have any more that keeps nothing of a piece: where that was long, all
    before it too."""
    is_long = piece.last - piece.first + 1 >= MOST_AT_ONCE
    return replace(piece, first=1) if is_long else piece


def unanswered(silence: NoAnswer, now_ms: int) -> NoAnswer:
    """The table is left alone, each time for longer."""
    wait_ms = min(UNANSWERED_MS * 2**silence.times, MOST_AGAIN_MS)
    return NoAnswer(min(silence.times + 1, 10), now_ms + wait_ms)
