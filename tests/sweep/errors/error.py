"""What an error is: a hand in which it happens, and what is to be found then."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import msgspec

from tests.sweep.hands import Beat, Hand
from tests.sweep.judging import Want


class Error(msgspec.Struct, frozen=True):
    """A hand with an error in it. `needs` names what the table must have for it to be found."""

    name: str
    hand: Hand
    beats: tuple[Beat, ...]
    want: Want
    needs: tuple[str, ...] = ()
    table: dict[str, Any] = {}


RR = ("homepokertourney", "roberts")


def by_book(rr: str, uk: str, nl: str, tda: str) -> dict[str, tuple[str, ...]]:
    """Outcomes by book; several are joined by `|`, `*` is anything."""
    of = {"homepokertourney": rr, "roberts": rr, "uk-tda": uk, "nl-2010": nl, "tda-2009": tda}
    return {book: tuple(out.split("|")) for book, out in of.items() if out != "*"}


def line(kind: str, wait: float = 1.0, **fields: object) -> Beat:
    return Beat("line", wait=wait, line={"kind": kind, **fields})


def seen(zone: str, card: str, wait: float = 0.4) -> Beat:
    return line("seen", wait, zone=zone, tag=card)


def gone(card: str, wait: float = 0.4) -> Beat:
    return line("gone", wait, tag=card)


class At:
    """Places in a hand's beats."""

    def __init__(self, hand: Hand) -> None:
        self.hand, self.beats = hand, list(hand.beats)
        self.n = len(hand.seats)
        self.pitches = [i for i, b in enumerate(self.beats) if b.what == "pitch"]
        self.acts = [i for i, b in enumerate(self.beats) if b.what == "act"]
        self.dealt = self.pitches[-1] + 1

    def streets(self) -> list[str]:
        """Those that are dealt."""
        burned = {b.street for b in self.beats if b.what == "burn"}
        return [street for street in ("flop", "turn", "river") if street in burned]

    def burn(self, street: str) -> int:
        return next(i for i, b in enumerate(self.beats) if b.what == "burn" and b.street == street)

    def board(self, street: str) -> list[int]:
        return [i for i, b in enumerate(self.beats) if b.what == "board" and b.street == street]

    def acts_of(self, street: str) -> list[int]:
        return [i for i in self.acts if self.beats[i].street == street]


def moment(acts: Sequence[Beat]) -> tuple[str, str]:
    """How far the action is: for Robert's and NL10 (n0, n1, cut), for UK (n0, n1, cut)."""
    rr = "cut" if len(acts) >= 2 else f"n{len(acts)}"
    chips = any(b.button in ("call", "bet", "raise", "all-in") for b in acts)
    uk = "cut" if len(acts) >= 3 or (len(acts) == 2 and chips) else "n1" if acts else "n0"
    return rr, uk


def misdeal_unless_cut(
    acts: Sequence[Beat], uk: str = "misdeal", tda: str = "floor", late: str = "stands"
) -> dict[str, tuple[str, ...]]:
    rr_at, uk_at = moment(acts)
    rr = late if rr_at == "cut" else "misdeal"
    return by_book(rr, "stands" if uk_at == "cut" else uk, rr, tda)


def acts_in(beats: Sequence[Beat]) -> list[Beat]:
    return [b for b in beats if b.what == "act"]


def stop_or_on(rng: Random, beats: list[Beat], at: int) -> tuple[list[Beat], str]:
    """Ends the log after `at` beats, after a few actions, or lets the hand go on."""
    dice = rng.random()
    if dice < 0.5:
        return beats[:at], "stop"
    if dice < 0.7:
        acts = [i for i, b in enumerate(beats) if b.what == "act" and i >= at]
        if acts:
            return beats[: rng.choice(acts) + 1], "later"
    return beats, "on"


def closing(mode: str) -> tuple[str, ...]:
    if mode == "on":
        return ("expired", "remedied")
    return ("open",) if mode not in {"later", "acted"} else ("open", "expired", "remedied")
