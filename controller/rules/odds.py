"""How likely it is that something was only not seen, and when that is worth a question.

What did not come has two explanations: it was not done, or it was not read, pressed or told. The
table measures the second as it goes: every card that must have been dealt and every press that must
have come, seen or not. Until it has seen enough of its own it goes by priors, all of which are
here. An error is asked about where it is not too unlikely beside the other explanation for what a
question costs (`eagerness`, a house's own in its rule book).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from math import comb, prod

from msgspec import Struct

from controller.rules.card_count import TOO_FEW
from controller.rules.hand import Hand
from controller.rules.premature import CODES
from controller.rules.procedure import SIZE, STREETS

UNREAD = 0.02
"""Of the cards: at real RFID tables 1.4 % of all pairs of hole cards are never read (contract,
*Doubt*); one card in fifty is what the sweeps are run with."""
UNPRESSED = 0.02
"""Of the presses. No source counts them: one in fifty is what the sweeps' nights have."""
STRENGTH = 100.0
"""So many cards or presses of its own outweigh a table's prior."""
HABIT = 30.0
"""So many presses or cards of a seat's own outweigh those of its table: people have habits, and
antennas."""
THINKS = 2.0
"""Seconds from press to press: what the recorded hands of the tests have at least."""
HAND = 20
"""So many presses of its own outweigh the prior of how long players take."""
QUIET = 2.5
"""So many times as long as players usually take, and the table seems to wait for somebody."""
EARLY_STREET = 1 / 300
"""Of the streets. No source counts dealing errors: one in a hundred hands, of three streets."""
NO_BURN = 1 / 300
"""Of the streets, likewise."""
SHORT_FLOP = 1 / 300
"""Of the flops, likewise."""
WRONG_DEAL = 1 / 300
"""Of the deals, likewise: a seat is dealt too few cards, or the first one goes elsewhere."""
OUT_OF_TURN = 1 / 300
"""Of the rounds, likewise."""
CERTAIN = 100.0
"""What is so much more likely than its other explanation is a fact."""
_BURN_MISSING = "burn-missing"
EAGERNESS = 20.0
"""So many needless questions cost as much as one error that nobody is told of."""


class Share(Struct, frozen=True, array_like=True):
    """How often something was `seen`, and how often it was `missed` though it must have been."""

    seen: int = 0
    missed: int = 0

    def rate(self, prior: float, strength: float = STRENGTH) -> float:
        """The part that is missed, from 0 to 1."""
        return (self.missed + prior * strength) / (self.seen + self.missed + strength)

    def and_of(self, seen: int, missed: int) -> Share:
        """With so many more."""
        return Share(self.seen + seen, self.missed + missed)


class Rates(Struct, frozen=True, omit_defaults=True):
    """What a table has measured of itself: the presses of each seat, those of them that made no
    sense (`needless`) and those that came just after the next player's (`late`), how many presses
    have followed another on the same street and how many seconds after it altogether, the cards of
    each seat, the burns and the cards of the flops."""

    presses: dict[int, Share] = {}
    needless: dict[int, int] = {}
    thought: tuple[int, float] = (0, 0.0)
    hole_cards: dict[int, Share] = {}
    burns: Share = Share()
    late: dict[int, int] = {}
    flops: Share = Share()

    def unread_of_flop(self, count: int) -> float:
        """How likely it is that so many cards of a flop are not read."""
        flop = SIZE["flop"]
        return comb(flop, count) * self.flops.rate(UNREAD) ** count

    def unread(self, seats: Iterable[int]) -> float:
        """How likely it is that a card at each of these seats is not read."""
        return _all_missed(self.hole_cards, seats, UNREAD)

    def unpressed(self, seats: Iterable[int]) -> float:
        """How likely it is that all of these have acted without pressing."""
        return _all_missed(self.presses, seats, UNPRESSED)

    def unheard(self, seats: Iterable[int]) -> float:
        """How likely it is that all of these have acted and not pressed yet."""
        late = {
            seat: share.and_of(-self.late.get(seat, 0), self.late.get(seat, 0))
            for seat, share in self.presses.items()
        }
        return _all_missed(late, seats, UNPRESSED)

    @property
    def quiet(self) -> float:
        """Seconds without a press after which the table seems to wait for somebody."""
        count, seconds = self.thought
        return QUIET * (seconds + THINKS * HAND) / (count + HAND)

    def after(self, hand: Hand) -> Rates:
        """With what a hand has shown."""
        missed = hand.inferred.copy()
        missed.update(seat for code, seat in hand.left_open if code in CODES.values())
        presses = _with(self.presses, hand.pressed, missed)
        needless = dict(Counter(self.needless) + hand.needless)
        late = dict(Counter(self.late) + hand.late)
        thought = (self.thought[0] + hand.thought[0], self.thought[1] + hand.thought[1])
        unread = Counter(hand.unread)
        unread.update(seat for code, seat in hand.left_open if code == TOO_FEW)
        cards = _with(self.hole_cards, Counter(seat for _, seat, _ in hand.dealt), unread)
        flop = len(hand.board["flop"])
        is_short = 0 < flop < SIZE["flop"]
        flops = self.flops.and_of(min(flop, SIZE["flop"]), (SIZE["flop"] - flop) * is_short)
        return Rates(presses, needless, thought, cards, self._burns(hand), late, flops)

    def _burns(self, hand: Hand) -> Share:
        read = [street for street in STREETS if hand.burns[street]]
        missed = {street for code, street in hand.left_streets if code == _BURN_MISSING}
        return self.burns.and_of(len(read), len(missed | hand.unread_burns))


def _with(known: Mapping[int, Share], seen: Counter[int], missed: Counter[int]) -> dict[int, Share]:
    """What is known of each seat, with so many more."""
    seats = seen.keys() | missed.keys()
    more = {seat: known.get(seat, Share()).and_of(seen[seat], missed[seat]) for seat in seats}
    return {**known, **more}


def _all_missed(of: Mapping[int, Share], seats: Iterable[int], prior: float) -> float:
    """How likely it is that what was to come at each of these seats was missed."""
    seen = sum(share.seen for share in of.values())
    missed = sum(share.missed for share in of.values())
    usual = Share(seen, missed).rate(prior)
    return prod(of.get(seat, Share()).rate(usual, HABIT) for seat in seats)


def is_certain(error: float, slip: float) -> bool:
    """Whether `slip` is so unlikely beside an error that the error counts as seen."""
    return error >= CERTAIN * slip


def is_worth_asking(error: float, slip: float, eagerness: float) -> bool:
    """Whether to ask about an error that is as likely as `error`, where `slip` explains it too."""
    return error * eagerness >= slip
