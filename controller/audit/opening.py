"""Opening the sealed record: what was really observed, hand by hand, and whether it fits the rest.

A hand that is not over is never opened: nobody is to see a live face-down card, an auditor neither.
It is over once something of a later hand has been sealed, and no setting of the table says so.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from controller.contract.observations import (
    Boxed,
    DeckChange,
    DeckCheck,
    Exposed,
    Gone,
    MalformedObservationError,
    Observation,
    Pick,
    Seen,
    Table,
)
from controller.storage.chains import Chain
from controller.storage.journal_reader import Box, JournalReader
from controller.storage.pseudonyms import reveal
from controller.storage.sealing import BoxError, Opened, Opener, line_digest


class OpeningError(Exception):
    """What was asked for can't be opened; one line says why."""


class Hands(Struct, frozen=True):
    """Hands `first` to `last`: sealed lines from where the first begins to `until`."""

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


def hands_over(sealed: Chain) -> list[int]:
    """The hands that may be opened, in order."""
    if not sealed.spans:
        return []
    newest = sealed.spans[-1].hand
    return sorted({span.hand for span in sealed.spans if span.hand < newest})


def chosen(sealed: Chain, first: int | None, last: int | None) -> Hands:
    """These hands, or all that may be opened. Raises OpeningError."""
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
    begins = next(span.first for span in sealed.spans if span.hand == first)
    until = max(span.last for span in sealed.spans if span.hand <= last)
    return Hands(first, last, begins, until)


def opened(reader: JournalReader, sealed: Chain, hands: Hands, opener: Opener) -> Found:
    """What these hands' sealed lines say, checked against the journal's lines as far as those are
    kept. Raises OpeningError where this is not their key, DatabaseError."""
    unreadable: list[tuple[int, str]] = []
    rows: list[tuple[Box, Opened | None]] = []
    for box in reader.boxes(hands.begins, hands.until):
        try:
            rows.append((box, opener.open(box.box)))
        except BoxError as error:
            rows.append((box, None))
            unreadable.append((box.k, str(error)))
    if len(unreadable) == len(rows):
        raise OpeningError(f"what is sealed in it is {unreadable[0][1]}" if rows else "it is empty")
    starts = [box.k for box, found in rows if found and not found.line and box.hand == hands.first]
    from_k = starts[-1] if starts else hands.begins
    rows = [(box, found) for box, found in rows if box.k >= from_k]
    log: list[Observation] = []
    faults = [] if starts else [f"what hand {hands.first} began with is missing"]
    faults += _grouped("sealed line", [each for each in unreadable if each[0] >= from_k])
    for box, found in rows:
        if found is not None and (found.line or box.k == from_k):
            log += found.observations
    if sealed.bad is not None and sealed.bad <= hands.until:
        faults.append(f"sealed line {sealed.bad} does not follow from the one before")
    faults += _grouped("line", [*_beside(reader, rows)])
    return Found(tuple(log), tuple(faults))


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


def _beside(
    reader: JournalReader, rows: Sequence[tuple[Box, Opened | None]]
) -> Iterator[tuple[int, str]]:
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
    match o:
        case Table():
            return replace(o, deck=None, objects={})
        case DeckChange():
            return replace(o, deck={})
        case DeckCheck():
            return replace(o, tags=("",) * len(o.tags))
        case Seen() | Gone() | Exposed() | Boxed() | Pick() if o.tag is not None:
            return replace(o, tag="")
        case _:
            return o
