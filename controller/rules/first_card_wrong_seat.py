"""First card to the wrong seat: the deal did not start left of the button.

RR7-MISDEAL-1h, UK-33A2, NL10-MIS-02: a misdeal while one can be called, after that the hand is
played (RR7-MISDEAL-2, UK-33D, NL10-MIS-05). TDA 2009 is silent.

An unread first card looks the same at first: in both cases the first card that is read is at a
later seat. The end of the deal tells them apart: a deal that started right ends on the button, the
other one runs on to the seats that were skipped. So nothing is claimed until the deal pauses
(`PAUSE`) or ends; a deal that pauses half-way is asked about.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from controller.rules import misdeal
from controller.rules.hand import Hand, OpenFinding
from controller.rules.irregularity import Deviation, WrongFirstSeat
from controller.rules.procedure import HOLE_CARDS

PAUSE = 2.0
"""Seconds without a pitch after which a deal has paused."""

Verdict = Literal["right", "wrong", "open"]


class FirstCardWrongSeat:
    """The irregularity `first-card-wrong-seat`."""

    code = "first-card-wrong-seat"
    facts = misdeal.FACTS
    question: str | None = "ask-first-card"

    def explains(self, deviation: Deviation) -> bool:
        """A deal that began elsewhere."""
        return isinstance(deviation, WrongFirstSeat)

    def moment(self, hand: Hand, finding: OpenFinding) -> frozenset[str]:
        """Whether a misdeal can still be called."""
        del finding
        return misdeal.moment(hand.betting.actions)


def judge_first_card(order: Sequence[int], dealt: Sequence[int], *, ended: bool) -> Verdict:
    """Whether a deal began with the first seat of `order`.

    `dealt` are the seats of the cards in the order in which they were read. Two stories are
    held against them: the deal began right and cards were not read, or it began with the seat
    that was read first.
    """
    if not dealt or dealt[0] == order[0]:
        return "right"
    shift = order.index(dealt[0])
    began_right = _unread(list(order), dealt)
    began_wrong = _unread([*order[shift:], *order[:shift]], dealt)
    if began_wrong is None or (began_right is not None and ended):
        return "right"
    return "wrong" if began_right is None else "open"


def _unread(order: Sequence[int], dealt: Sequence[int]) -> int | None:
    """How many cards were not read up to the last one if the deal went in this order; None if
    it cannot have."""
    pitches = list(order) * HOLE_CARDS
    at = 0
    for seat in dealt:
        while at < len(pitches) and pitches[at] != seat:
            at += 1
        if at == len(pitches):
            return None
        at += 1
    return at - len(dealt)
