"""Opening the sealed record: what was really observed, hand by hand, and whether it fits the rest.

A hand that is not over is never opened: nobody is to see a live face-down card, an auditor neither.
It is over once something of a later hand has been sealed, and no setting of the table says so.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from controller.capture.files import renamed
from controller.contract.observations import MalformedObservationError, Observation, Riffle
from controller.storage.chains import Span
from controller.storage.journal_reader import Box, JournalReader
from controller.storage.pseudonyms import reveal
from controller.storage.sealing import BoxError, Opened, Opener, line_digest

Rows = Sequence[tuple[Box, Opened | None]]


class OpeningError(Exception):
    """What was asked for can't be opened; one line says why."""


class Hands(Struct, frozen=True):
    """Hands `first` to `last`, which lie in the sealed lines `begins` to `until`."""

    first: int
    last: int
    begins: int
    until: int


class Found(Struct, frozen=True):
    """A table log, and a line for each thing that does not fit."""

    log: tuple[Observation, ...]
    faults: tuple[str, ...]

    def __repr__(self) -> str:
        return f"Found({len(self.log)} observations, {len(self.faults)} faults)"


def hands_over(sealed: Sequence[Span]) -> list[int]:
    """The hands that may be opened, in order."""
    return sorted(span.hand for span in sealed if span.hand < sealed[-1].hand)


def chosen(sealed: Sequence[Span], first: int | None, last: int | None) -> Hands:
    """These of the sealed hands, or all that may be opened. Raises OpeningError."""
    over = hands_over(sealed)
    if not over:
        raise OpeningError("no hand that is over has been sealed in it")
    first, last = over[0] if first is None else first, over[-1] if last is None else last
    if first > last:
        raise OpeningError(f"there are no hands {first} to {last}")
    if last > over[-1]:
        raise OpeningError(f"hand {last} is not over in it, and only what is over is opened")
    if first not in over:
        raise OpeningError(f"hand {first} is not sealed in it: hands {over[0]} to {over[-1]} are")
    begins = min(span.first for span in sealed if first - 1 <= span.hand <= first)
    until = max(span.last for span in sealed if span.hand <= last)
    return Hands(first, last, begins, until)


def opened(reader: JournalReader, hands: Hands, opener: Opener) -> Found:
    """What these hands' sealed lines say, checked against the journal's lines as far as those are
    kept. Raises OpeningError where this is not their key, DatabaseError."""
    unreadable: list[tuple[int, str]] = []
    rows: list[tuple[Box, Opened | None]] = []
    for box in reader.boxes(hands.begins, hands.until + 1):
        try:
            rows.append((box, opener.open(box.box)))
        except BoxError as error:
            rows.append((box, None))
            unreadable.append((box.k, str(error)))
    ends_with = _next_riffle(rows, hands)
    rows = [(box, found) for box, found in rows if box.k <= hands.until]
    if not any(found for _, found in rows):
        said = unreadable[0][1] if unreadable else "damaged"
        raise OpeningError(f"what is sealed in it is {said}")
    begins, faults = _beginning(rows, hands)
    rows = [(box, found) for box, found in rows if box.k >= begins]
    log = [
        observation
        for box, found in rows
        if found is not None and (found.line or box.k == begins)
        for observation in found.observations
    ]
    faults += _grouped("sealed line", [each for each in unreadable if each[0] >= begins])
    bad = reader.sealed().bad
    if bad is not None and bad <= hands.until:
        faults.append(f"sealed line {bad}: does not follow from the one before")
    faults += _grouped("line", [*_beside(reader, rows)])
    return Found((*log, *ends_with), tuple(faults))


def _beginning(rows: Rows, hands: Hands) -> tuple[int, list[str]]:
    """The sealed line with which the first hand began. Where the table was killed as the hand
    before ended, it is the one with which that began."""
    starts = [box for box, found in rows if found is not None and not found.line]
    own = [box.k for box in starts if box.hand == hands.first]
    before = [box.k for box in starts if box.hand < hands.first]
    if own or before:
        return (own or before)[-1], []
    return hands.begins, [f"what hand {hands.first} began with is missing"]


def _next_riffle(rows: Rows, hands: Hands) -> tuple[Observation, ...]:
    """A hand that nobody ended is over with the next riffle."""
    found = next((found for box, found in rows if box.k == hands.until + 1), None)
    is_riffle = found is not None and [*map(type, found.observations)] == [Riffle]
    return found.observations if found is not None and is_riffle else ()


def _grouped(what: str, faults: Sequence[tuple[int, str]]) -> list[str]:
    """What is wrong with single rows, in a line for those that follow one another."""
    groups: list[tuple[int, int, str]] = []
    for n, said in faults:
        if groups and groups[-1][1:] == (n - 1, said):
            groups[-1] = (groups[-1][0], n, said)
        else:
            groups.append((n, n, said))
    return [
        f"{what} {first}: {said}" if first == last else f"{what}s {first} to {last}: {said}"
        for first, last, said in groups
    ]


def _beside(reader: JournalReader, rows: Rows) -> Iterator[tuple[int, str]]:
    """Which of the journal's lines, as far as they are kept, do not tell the same, and why."""
    known: dict[int, Opened | None] = {}
    again: set[int] = set()
    for box, found in rows:
        if found is None or found.line:
            known[box.n] = found
        else:
            again |= set(range(box.n - found.repeated + 1, box.n + 1))
    first, last = rows[0][0].n + 1, rows[-1][0].n
    chain = reader.lines()
    if chain.bad is not None and first <= chain.bad <= last:
        yield chain.bad, "does not follow from the one before"
    for n, line in reader.between(first, last):
        if n in known:
            found = known[n]
            if found is not None and not _tells_the_same(line, found):
                yield n, "differs from what was sealed beside it"
        elif n not in again:
            yield n, "nothing was sealed beside it"


def _tells_the_same(line: bytes, found: Opened) -> bool:
    if line_digest(line) != found.line:
        return False
    try:
        told = reveal(line, {})
    except MalformedObservationError:
        return False
    return [_without_tags(told)] == [_without_tags(each) for each in found.observations]


def _without_tags(o: Observation) -> Observation:
    return renamed(o, lambda _: "")
