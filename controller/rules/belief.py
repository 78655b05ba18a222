"""What the table only believes of who plays and where the button is, and when a deal knows better.

People forget to tell who has left, and whom a pot has broken is not known where chips are not told.
Such a fact is believed until somebody tells it or a deal shows it. A complete, regular deal (twice
round the same seats, in one order, in the dealer's rhythm) shows who plays, and the last of them is
where the dealer takes the button to be (contract, *What the engine believes about the table*).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from msgspec import Struct

from controller.rules.betting import Player
from controller.rules.button_misplaced import CODE as BUTTON_MISPLACED
from controller.rules.card_count import DEALT_OUT
from controller.rules.first_card_wrong_seat import CODE as FIRST_CARD
from controller.rules.first_card_wrong_seat import ERROR
from controller.rules.hand import Hand
from controller.rules.procedure import HOLE_CARDS, clockwise
from controller.rules.rhythm import Read, misfit
from controller.rules.sequence import EMPTY_DEALT

_WHO_PLAYS = (DEALT_OUT, EMPTY_DEALT)
_WHERE_THE_BUTTON_IS = (FIRST_CARD, BUTTON_MISPLACED)


class Belief(Struct, frozen=True, omit_defaults=True):
    """`seats` are those of which it is only believed whether they play, `button` says whether that
    is so of the button: something is open of it, or nobody was seen to play the last hand, which
    may have been a misdeal of which nobody has told."""

    seats: tuple[int, ...] = ()
    button: bool = False

    def after(self, hand: Hand, known: Collection[int], silent: Collection[int]) -> Belief:
        """What is believed once a hand is over: `known` are the seats whose chips are, `silent`
        those that have no buttons. What was left open in it is claimed of nobody in the next."""
        if hand.undone:
            return self
        seats = set() if hand.shown_by_deal else set(self.seats)
        seats |= {p.seat for p in hand.betting.players.values() if may_be_broken(hand, p, silent)}
        seats -= set(known)
        seats |= {s for code, s in hand.left_open if code in _WHO_PLAYS}
        seats |= set(hand.taken_over)
        unclear = (*_WHERE_THE_BUTTON_IS, EMPTY_DEALT)
        betting = hand.betting
        is_played = hand.awarded or betting.acted_on or hand.last_street() is not None
        unseen = not is_played and len(betting.live) > 1
        lost = unseen or any(code in unclear for code, _ in hand.left_open)
        return Belief(tuple(sorted(seats)), lost or (self.button and not hand.shown_by_deal))

    def told(self, seat: int) -> Belief:
        """Somebody has said whether this seat plays."""
        return Belief(tuple(s for s in self.seats if s != seat), self.button)

    def doubted(self, seat: int) -> Belief:
        """It is only believed that this seat plays."""
        return Belief(tuple(sorted({*self.seats, seat})), self.button)


def may_be_broken(hand: Hand, player: Player, silent: Collection[int]) -> bool:
    """Whether a player may have lost everything: he was in to the end, and all-in as far as it is
    known."""
    if player.folded or len(hand.betting.live) < 2:
        return False
    return player.all_in or player.seat in silent or player.seat in hand.inferred


def is_order_open(hand: Hand) -> bool:
    """Whether it is asked who plays, or from where: before the flop one of those who are asked
    about may be a blind, and later the first to act may be another. Where an empty seat was dealt
    cards somebody may have come to it."""
    open_ones = (f for f in hand.findings if not f.certain or f.code == EMPTY_DEALT)
    codes = {finding.code for finding in open_ones}
    who = not codes.isdisjoint(_WHO_PLAYS) and not hand.board["flop"]
    return who or not codes.isdisjoint(_WHERE_THE_BUTTON_IS)


def who_plays(
    order: Sequence[int], dealt: Sequence[Read], believed: Collection[int]
) -> tuple[set[int], tuple[int, ...], tuple[int, ...]]:
    """The seats that a finished deal shows to play, and those of them that are `believed` to be in
    and got no card, or to be out and got one; `order` is that in which cards were due."""
    came = {seat for _, seat in dealt}
    out = tuple(s for s in order if s in believed and s not in came)
    into = tuple(sorted(s for s in came.difference(order) if s in believed))
    return set(order).difference(out).union(into), out, into


def shows(
    theirs: Sequence[int], dealt: Sequence[Read], ours: Sequence[int], own: Sequence[Read]
) -> bool:
    """Whether cards were rather `dealt` to the seats of `theirs` in this order than to `ours`, of
    which only the `own` ones are, the others' unread: those leave a gap in the rhythm."""
    if len(own) < 2:
        return False
    strays = ERROR * (len(dealt) - len(own))
    return misfit([*theirs] * HOLE_CARDS, dealt) < misfit([*ours] * HOLE_CARDS, own) + strays


def last_of_deal(seats: Iterable[int], dealt: Sequence[Read]) -> int | None:
    """On whom a regular deal to these seats has ended, wherever it began; None if it is none."""
    came = [seat for _, seat in dealt]
    if not came:
        return None
    ring = clockwise(set(seats), came[-1])
    return came[-1] if came == ring * HOLE_CARDS else None
