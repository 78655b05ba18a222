"""What is entered late, once more or never: *New hand* and the award are not of the hand that seems
to run, or a hand is over that nobody has ended.

CONTRACT, *What the engine believes*: what one hand left unclear, a forgotten entry among it, is
never a finding of the next; a press that makes no sense at its moment changes nothing.
"""

from __future__ import annotations

from controller.contract.observations import Seen
from controller.contract.zones import seat_of
from controller.engine.implied import PITCH_PAUSE
from controller.hand.places import Places
from controller.hand.watch import Watch
from controller.rules.hand import Hand
from controller.rules.procedure import Deal, Showdown

LATE_AWARD_S = 8.0
"""Seconds after the riffle, or a pitch, in which an award is the one of the hand before."""
ONCE_MORE_S = 60.0
"""Seconds in which an award may be entered once more."""


def is_awarded_late(
    watch: Watch, places: Places, t: float, *, awarded: float | None, reads_seats: bool
) -> bool:
    """Whether an award is the one of the hand before, which was `awarded` then, or not (None).
    Where no card of the deal is read a hand may be over in it."""
    hand = watch.hand
    if awarded is not None:
        return t - awarded < ONCE_MORE_S and is_being_dealt(watch, t)
    if not hand.has_begun and reads_seats:
        return True
    is_early = not hand.acted_streets or hand.betting.round == "preflop"
    waits = is_early and bool(hand.betting.must_act()) and _lies_at_seats(hand, places)
    return waits or watch.has_just_begun(t, LATE_AWARD_S)


def is_riffled_late(watch: Watch, places: Places, t: float) -> bool:
    """Whether a riffle is that of the hand which runs: entered once more amid the deal, or late
    where there was none, while its cards lie at seats."""
    hand = watch.hand
    if watch.awaits_misdeal or isinstance(hand.head, Showdown):
        return False
    return is_being_dealt(watch, t) if hand.riffled else _lies_at_seats(hand, places)


def may_be_taken_in(watch: Watch) -> bool:
    """Whether a hand is over, as far as it is known, if no card lies anywhere any more: some lay on
    the board, on the burns or in the muck, or the deal is a misdeal or was broken off."""
    hand = watch.hand
    return hand.over or hand.is_spread or watch.awaits_misdeal or _is_partly_dealt(hand)


def is_broken_off(watch: Watch, t: float) -> bool:
    """Whether a deal that another one follows was none, or was given up: it was not whole, nobody
    acted, and it has not gone on. Cards that are spread or gathered brush the seats."""
    return _is_partly_dealt(watch.hand) and not watch.has_just_begun(t, PITCH_PAUSE)


def goes_on(watch: Watch, seen: Seen) -> bool:
    """Whether a card tells that a hand had not been taken in: it comes to the middle, in the rhythm
    of the deal or, before the river, back to where it was dealt."""
    hand, seat = watch.hand, seat_of(seen.zone)
    if _is_partly_dealt(hand) and watch.has_just_begun(seen.t, PITCH_PAUSE):
        return True
    if seat is None:
        return seen.zone != "stub"
    is_early = hand.betting.round != "river" and not isinstance(hand.head, Showdown)
    return is_early and any(at == seat and tag == seen.tag for _, at, tag in hand.dealt)


def _lies_at_seats(hand: Hand, places: Places) -> bool:
    """Whether two seats or more have cards that were dealt to them."""
    there = {seat for _, seat, tag in hand.dealt if places.seat(tag) == seat}
    return len(there) > 1


def _is_partly_dealt(hand: Hand) -> bool:
    return bool(hand.dealt) and isinstance(hand.head, Deal) and not hand.betting.acted_on


def is_being_dealt(watch: Watch, t: float) -> bool:
    """Whether a card of the deal has come just now."""
    return bool(watch.hand.dealt) and watch.has_just_begun(t, PITCH_PAUSE)
