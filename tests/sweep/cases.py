"""Logs with what is expected of them, drawn from a number: the same number, the same log."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from controller.library.books import Library
from tests.sweep.errors.all_kinds import BOARD, DEAL
from tests.sweep.errors.error import Error
from tests.sweep.hands import Hand, played, read_phh
from tests.sweep.judging import BOOKS, Want, clean_fault, judge, named_face_down, replay
from tests.sweep.putting_right import REMEDIES
from tests.sweep.rough import ROUGH
from tests.sweep.telling import VARIANTS, Line, Teller, Variant

PHH = sorted((Path(__file__).resolve().parents[2] / "config" / "hands").glob("*.phh"))
STEADY = tuple(v for v in VARIANTS if not v.noisy)
TRIES = 60


class Case(msgspec.Struct, frozen=True):
    """A log under some books; without `want` nothing may be found."""

    name: str
    lines: list[Line]
    books: tuple[str, ...]
    want: Want | None = None


def clean(number: int) -> Case:
    """A hand with which nothing is wrong, at one of many tables."""
    rng = Random(number)
    variant = rng.choice(VARIANTS)
    hand = read_phh(rng.choice(PHH), rng) if rng.random() < 0.5 else played(rng)
    teller = Teller(variant, rng)
    teller.table(hand)
    teller.tell(hand.beats)
    return Case(f"clean {variant.name}", teller.finish(), (rng.choice(BOOKS),))


def rough(number: int) -> Case:
    """A hand with which nothing is wrong, read badly in one way."""
    rng = Random(number)
    variant, disturb = rng.choice(STEADY), rng.choice(ROUGH)
    hand = played(rng, rng.choice([None, 2, 3]), to=rng.choice(["", "river"]))
    teller = Teller(variant, rng)
    teller.table(hand)
    teller.tell(hand.beats)
    table, *rest = teller.finish()
    log = [table, *rest]
    more = disturb(rng, log)
    lines = [table, *sorted([*log[1:], *more], key=lambda line: line["t"])]
    for line in lines[1:]:
        line["t"] = round(line["t"], 3)
    return Case(f"rough {disturb.__name__} {variant.name}", lines, (rng.choice(BOOKS),))


def session(number: int) -> Case:
    """Some hands one after the other."""
    rng = Random(number)
    variant, count = rng.choice(VARIANTS), rng.randint(3, 10)
    first = played(rng, count, deep=True)
    ring = first.seats
    teller = Teller(variant, rng)
    teller.table(first)
    button = first.button
    for turn in range(4):
        hand = first
        while turn and (hand is first or _chips(hand) != _chips(first)):
            hand = played(rng, count, deep=True)
        hand = _moved(hand, ring[turn % count :] + ring[: turn % count])
        if variant.puck and turn:
            teller.move_puck(button, hand.button)
        button = hand.button
        riffle_ends_it = variant.riffle and turn < 3 and rng.random() < 0.3
        teller.tell([b for b in hand.beats if not (riffle_ends_it and b.what == "award")])
        teller.t += rng.uniform(1.0, 20.0)
    return Case(f"session {variant.name}", teller.finish(), (rng.choice(BOOKS),))


def _chips(hand: Hand) -> tuple[int, int, int]:
    return hand.small, hand.big, hand.ante


def _moved(hand: Hand, seats: tuple[int, ...]) -> Hand:
    to = dict(zip(hand.seats, seats, strict=True))
    beats = tuple(msgspec.structs.replace(b, seat=to.get(b.seat, 0)) for b in hand.beats)
    return msgspec.structs.replace(hand, seats=seats, beats=beats)


def error(number: int) -> Case | None:
    """A hand with an error, that stops there or goes on."""
    rng = Random(number)
    pool, streets = rng.choice([(DEAL, [""]), (BOARD, ["flop", "turn", "river"])])
    make = rng.choice(pool)
    for _ in range(TRIES):
        hand = played(rng, rng.choice([None, None, 2, 3, 10]), to=rng.choice(streets))
        found = make(rng, hand)
        if found is not None:
            variants = [v for v in VARIANTS if _suits(found, v)]
            if variants:
                return _told(found, rng.choice(variants), rng)
    return None


def _told(found: Error, variant: Variant, rng: Random) -> Case:
    teller = Teller(variant, rng)
    teller.table(found.hand)
    _add_to_deck(teller, found.table)
    teller.tell(found.beats)
    want = found.want
    if not (variant.buttons or variant.entered) and not found.name.endswith("stop"):
        want = msgspec.structs.replace(want, outcome={}, closed=())  # the action is not known
    return Case(f"{found.name} {variant.name}", teller.finish(), BOOKS, want if want.code else None)


def _add_to_deck(teller: Teller, more: Mapping[str, Any]) -> None:
    deck = teller.lines[0].get("deck")
    if deck is not None:
        deck["E0JOKER"] = "X1"
        teller.tags["X1"] = "E0JOKER"
        if "twin" in more:
            deck["E0TWIN"] = more["twin"]


def _suits(found: Error, variant: Variant) -> bool:
    has = {
        "puck": variant.puck,
        "riffle": variant.riffle,
        "burns": variant.burns,
        "buttons": variant.buttons,
        "stub": variant.stub,
        "opaque": variant.opaque,
        "mucks": variant.folds not in ("press", "any"),
        "presses": variant.folds != "muck",
    }
    return all(has[need] for need in found.needs)


def righted(number: int) -> Case:
    """A hand with an error that is put right as the book says."""
    rng = Random(number)
    while True:
        hand = played(rng, rng.choice([2, 3, 4, 6, 10]), deep=True, to="river")
        acts = Counter(b.street for b in hand.beats if b.what == "act")
        if all(acts[street] >= 2 for street in ("", "flop", "turn")):
            break
    one = rng.choice(rng.choice(REMEDIES)(rng, hand))
    variant = rng.choice([v for v in VARIANTS if v.burns and (v.buttons or not one.buttons)])
    teller = Teller(variant, rng)
    teller.table(hand)
    _add_to_deck(teller, {})
    teller.tell(one.beats)
    want = Want(one.code, {}, one.beside, (one.closed,))
    return Case(f"{one.name} {variant.name}", teller.finish(), one.books, want)


KINDS: dict[str, Callable[[int], Case | None]] = {
    "clean": clean,
    "rough": rough,
    "session": session,
    "error": error,
    "righted": righted,
}


def faults(library: Library, case: Case) -> list[tuple[str, str]]:
    """What is not as expected: book and fault."""
    out = []
    for book in case.books:
        events = replay(library, case.lines, book)
        fault = judge(case.want, book, events) if case.want else clean_fault(events)
        fault = fault or named_face_down(case.lines, events)
        if fault:
            out.append((book, fault))
    return out
