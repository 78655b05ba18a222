"""Counts what the engine says in a night: claims, questions, and what it took over."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import msgspec

from controller.contract.events import Event, Finding, Prompt, Ruling, Start
from controller.contract.observations import decode
from controller.engine.engine import Engine
from controller.library.books import Library
from tests.sweep.nights.evening import Night
from tests.sweep.telling import Line


class Count(msgspec.Struct):
    """`claims` are findings with basis `seen` where nothing was dealt wrongly, `questions` those
    that are asked, `asked` the hands with one; `codes` what they were. Of the stacks with which
    seats began a hand `known` are those that the engine knew, `wrong` those of them that it knew
    wrongly, of all `stacks`."""

    hands: int = 0
    slips: int = 0
    claims: int = 0
    questions: int = 0
    asked: int = 0
    taken_over: int = 0
    stacks: int = 0
    known: int = 0
    wrong: int = 0
    codes: Counter[str] = msgspec.field(default_factory=Counter)

    def __iadd__(self, other: Count) -> Count:
        for name in self.__struct_fields__:
            setattr(self, name, getattr(self, name) + getattr(other, name))
        return self


def play(library: Library, log: Sequence[Line], book: str | None = None) -> list[Event]:
    """What the engine says of a log."""
    engine = Engine(library.book, book)
    encode = msgspec.json.encode
    return [event for line in log for event in engine.observe(decode(encode(line)))]


def claimed(events: Iterable[Event]) -> set[int]:
    """The findings that were claimed. A question that becomes a claim by itself is one."""
    said = (event for event in events if isinstance(event, Finding | Ruling))
    return {event.id for event in said if event.basis == "seen"}


def count(events: Sequence[Event], slips: int = 0) -> Count:
    """What was said in nights in which nothing was dealt wrongly."""
    found = {e.id: e for e in events if isinstance(e, Finding)}
    seen = claimed(events)
    asked = [e for number, e in found.items() if number not in seen]
    codes = Counter(f"{e.code} {'!' if number in seen else '?'}" for number, e in found.items())
    return Count(
        hands=sum(isinstance(e, Start) for e in events),
        slips=slips,
        claims=len(seen),
        questions=len(asked),
        asked=len({e.hand for e in asked}),
        taken_over=sum(isinstance(e, Prompt) and e.text_id == "taken-over" for e in events),
        codes=codes,
    )


def count_stacks(count: Count, events: Sequence[Event], night: Night) -> None:
    """Adds what was known of the stacks to the count, where the hands are those of the night."""
    starts = [e for e in events if isinstance(e, Start)]
    if len(starts) != len(night.deals):
        return
    for start, deal in zip(starts, night.deals, strict=True):
        known = {s.seat: s.stack for s in start.seats if s.stack is not None}
        count.stacks += len(deal.stacks)
        count.known += len(known)
        count.wrong += sum(deal.stacks.get(seat, 0) != stack for seat, stack in known.items())
