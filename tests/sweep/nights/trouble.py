"""Nights in which every eighth hand has a dealing error, among what people forget.

A hand with an error is broken off by a misdeal and dealt again, so that the night's chips and
positions stay what they were.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import takewhile
from random import Random

import msgspec

from controller.contract.events import Event, Finding
from tests.sweep.errors.all_kinds import BOARD, DEAL
from tests.sweep.errors.error import Error, line
from tests.sweep.hands import Beat, Hand
from tests.sweep.nights.counting import claimed
from tests.sweep.nights.evening import Deal, Night

Kind = Callable[[Random, Hand], Error | None]
EVERY = 8
HAS = {"buttons", "presses", "riffle", "burns", "mucks"}
"""What the table of the night has, in the words of an error's needs."""


class Injected(msgspec.Struct, frozen=True):
    """In the log's hand of this number there is an error of this kind, to be found by its code."""

    hand: int
    kind: str
    code: str


class Found(msgspec.Struct):
    """How many errors of each code there were, and of how many the code was found in their hand;
    `questions` are what was asked in hands without an error, `claims` what was claimed there."""

    errors: Counter[str] = msgspec.field(default_factory=Counter)
    found: Counter[str] = msgspec.field(default_factory=Counter)
    missed: Counter[str] = msgspec.field(default_factory=Counter)
    hands: int = 0
    asked: int = 0
    claims: int = 0
    codes: Counter[str] = msgspec.field(default_factory=Counter)

    def __iadd__(self, other: Found) -> Found:
        for name in self.__struct_fields__:
            setattr(self, name, getattr(self, name) + getattr(other, name))
        return self


def with_errors(night: Night) -> tuple[Night, list[Injected]]:
    """The same night, some hands of which are begun, broken off and dealt again."""
    rng = Random(f"trouble {night.number}")
    kinds = [*DEAL, *BOARD]
    rng.shuffle(kinds)
    deals: list[Deal] = []
    injected: list[Injected] = []
    for number, deal in enumerate(night.deals):
        error = _error(rng, kinds, deal.hand) if number % EVERY == EVERY - 1 else None
        if error is None:
            deals.append(deal)
            continue
        kinds.append(kinds.pop(0))
        injected.append(Injected(len(deals) + 1, error.name, error.want.code))
        deals.append(msgspec.structs.replace(deal, hand=_broken_off(error)))
        deals.append(msgspec.structs.replace(deal, before=(), level=None))
    return msgspec.structs.replace(night, deals=tuple(deals)), injected


def _error(rng: Random, kinds: list[Kind], hand: Hand) -> Error | None:
    """The first kind of error for which the hand and the table have room."""
    for _ in kinds:
        try:
            error = kinds[0](rng, hand)
        except (IndexError, StopIteration, ValueError):
            error = None  # the hand is over before that street
        may_be = error is not None and not error.table and error.want.code
        if error is not None and may_be and HAS.issuperset(error.needs) and _is_open(error):
            return error
        kinds.append(kinds.pop(0))
    return None


def _is_open(error: Error) -> bool:
    """Whether the hand is not over before it is broken off."""
    folds = {beat.seat for beat in error.beats if beat.what == "act" and beat.button == "fold"}
    dealt = {beat.seat for beat in error.beats if beat.what == "pitch"}
    return len(dealt & set(error.hand.seats) - folds) > 1


def _broken_off(error: Error) -> Hand:
    begun = takewhile(lambda beat: beat.what != "award", error.beats)
    end = (line("tick", 6.4), line("dealer", 1.0, input="misdeal"), Beat("collect"))
    return msgspec.structs.replace(error.hand, beats=(*begun, *end))


def judge(events: Sequence[Event], injected: Sequence[Injected]) -> Found:
    """Whether each error was found in its hand, as a finding or a question, and what else was."""
    by_hand: dict[int, list[Finding]] = {}
    for event in events:
        if isinstance(event, Finding):
            by_hand.setdefault(event.hand, []).append(event)
    result = Found(hands=max((event.hand for event in events), default=0) - len(injected))
    for one in injected:
        result.errors[one.code] += 1
        codes = {finding.code for finding in by_hand.pop(one.hand, ())}
        if one.code in codes:
            result.found[one.code] += 1
        else:
            result.missed[f"{one.kind}: {', '.join(sorted(codes)) or 'nothing'}"] += 1
    seen = claimed(events)
    for others in by_hand.values():
        result.asked += any(finding.basis == "unseen" for finding in others)
        result.claims += sum(finding.id in seen for finding in others)
        result.codes.update(f"{f.code} {'!' if f.id in seen else '?'}" for f in others)
    return result
