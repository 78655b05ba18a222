"""First card to the wrong seat: the deal did not start left of the button.

RR7-MISDEAL-1h, UK-33A2, NL10-MIS-02: a misdeal while one can be called, after that the hand is
played (RR7-MISDEAL-2, UK-33D, NL10-MIS-05). TDA 2009 is silent.

An unread first card looks the same at first: in both cases the first card that is read is at a
later seat. The end of the deal tells them apart: a deal that started right ends on the button, the
other one runs on to the seats that were skipped. So nothing is claimed until the deal pauses
(`PAUSE`) or ends; a deal that pauses half-way is asked about.

Where only the first round ran on to them and the second was right, their first-round cards may also
have been pitched first and read late. A card that is read late has no pitch of its own there: if
the rhythm leaves no room for one more pitch, nothing is found, else the dealer is asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import Literal

from controller.rules import misdeal
from controller.rules.deal_rule import misdeal_moment
from controller.rules.hand import Hand, OpenFinding
from controller.rules.irregularity import Irregularity
from controller.rules.procedure import HOLE_CARDS
from controller.rules.rhythm import Read, misfit

PAUSE = 2.0
"""Seconds without a pitch after which a deal has paused."""

ERROR = 5.0
"""One deal in some hundred begins elsewhere (odds as in `rhythm`)."""

CLEARLY = 3.0
"""By how much it must fit better that the last card was read late, where the deal runs on."""

CODE = "first-card-wrong-seat"
Verdict = Literal["right", "wrong", "open"]


class FirstCardWrongSeat(Irregularity):
    """The irregularity `first-card-wrong-seat`."""

    code = CODE
    facts = misdeal.FACTS
    question = "ask-first-card"

    def moment(self, hand: Hand, finding: OpenFinding) -> frozenset[str]:
        """Whether a misdeal can still be called."""
        return misdeal_moment(hand, finding)


def judge_first_card(order: Sequence[int], dealt: Sequence[Read], *, ended: bool) -> Verdict:
    """Whether a deal began with the first seat of `order`.

    `dealt` are the times and seats of the cards in the order in which they were read. Three
    stories are held against them: the deal began right and cards were not read or read late, it
    began with the seat that was read first, or only its first round did. What comes after a deal
    that ended on the button was read late, and a card too many is another matter.
    """
    dealt = _without_surplus(dealt)
    seats = [seat for _, seat in dealt]
    if not seats or seats[0] == order[0]:
        return "right"
    ended = ended or (seats[-1] == order[-1] and seats.count(order[-1]) >= HOLE_CARDS)
    due, shift = [*order, *order], order.index(seats[0])
    runs_on = _is_in_line(_from(order, shift) * HOLE_CARDS, seats)
    if _is_in_line(due, seats):
        return "open" if runs_on and not ended else "right"
    begun = [_from(order, at) for at in (shift - 1, shift) if at]
    whole = _best([ring * HOLE_CARDS for ring in begun], dealt)
    first = _best([[*ring, *order] for ring in begun], dealt)
    late = misfit(due, dealt)
    if runs_on and whole <= first:
        return "wrong" if whole < late + CLEARLY else "open"
    return "open" if min(whole, first) < late else "right"


def _best(stories: Sequence[Sequence[int]], dealt: Sequence[Read]) -> float:
    """How badly the best of these stories of an error fits. One that needs more than a single card
    to have been read late is none."""
    seats = [seat for _, seat in dealt]
    rests = [seats, *([*seats[:i], *seats[i + 1 :]] for i in range(len(seats)))]
    told = [due for due in stories if any(_is_in_line(due, rest) for rest in rests)]
    return ERROR + min((misfit(due, dealt) for due in told), default=inf)


def _from(order: Sequence[int], first: int) -> list[int]:
    return [*order[first:], *order[:first]]


def _without_surplus(dealt: Sequence[Read]) -> list[Read]:
    """The cards without those that came to a seat which had its own."""
    seats = [seat for _, seat in dealt]
    return [read for i, read in enumerate(dealt) if seats[:i].count(read[1]) < HOLE_CARDS]


def _is_in_line(due: Sequence[int], seats: Sequence[int]) -> bool:
    """Whether the cards may have been pitched in this order, some of them unread."""
    rest = iter(due)
    return all(seat in rest for seat in seats)
