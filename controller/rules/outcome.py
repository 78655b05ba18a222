"""The end of a hand: pots, awards and stacks, as far as they follow from what is known.

Awards need every amount and, for a contested pot, every contesting hand tabled and the board
complete (contract, `result`). The hands are read by phevaluator.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from controller.contract.events import Pot
from controller.rules.betting import Player
from controller.rules.hand import Hand
from controller.rules.pots import awards, pots, uncalled
from controller.rules.procedure import clockwise
from controller.rules.reading import is_readable, strength


@dataclass(frozen=True, slots=True)
class Outcome:
    """Keys are seat numbers as text, as JSON wants them. `known` are the stacks that follow for
    some seats where not all do."""

    pots: tuple[Pot, ...] = ()
    awards: dict[str, int] | None = None
    stacks: dict[str, int] | None = None
    known: dict[str, int] | None = None


def settle_pots(hand: Hand, hole: Mapping[int, Sequence[str]], board: Sequence[str]) -> Outcome:
    """What the hand comes to. `hole` holds the cards of the tabled hands."""
    betting = hand.betting
    players = list(betting.players.values())
    if not betting.known:
        return Outcome(known=_known(players))
    made = pots(players)
    contested = {seat for pot in made if len(pot.seats) > 1 for seat in pot.seats}
    if any(not pot.seats for pot in made):
        return Outcome(made, known=_known(players))
    if not all(is_readable(hole.get(seat, ()), board) for seat in contested):
        return Outcome(made, known=_known(players))
    strengths = {seat: strength(hole[seat], board) for seat in contested}
    won = awards(made, strengths, clockwise(betting.players, betting.button), betting.chip)
    stacks = {p.seat: (p.stack or 0) - p.paid + won.get(p.seat, 0) for p in players}
    back = uncalled(players)
    if back:
        stacks[back[0]] += back[1]
    return Outcome(
        made,
        {str(seat): chips for seat, chips in sorted(won.items())},
        {str(seat): chips for seat, chips in sorted(stacks.items())},
    )


def _known(players: Sequence[Player]) -> dict[str, int]:
    """The stacks of those who have folded, and what they have put in is known; where all but one
    are, the last one has the rest."""
    known = {
        p.seat: p.stack - p.paid
        for p in players
        if p.folded and p.stack is not None and not p.vague
    }
    before = [p.stack for p in players]
    rest = [p.seat for p in players if p.seat not in known]
    if len(rest) == 1 and None not in before:
        known[rest[0]] = sum(chips or 0 for chips in before) - sum(known.values())
    return {str(seat): chips for seat, chips in sorted(known.items())}


def undone(begun_with: Sequence[tuple[int, int | None]]) -> dict[str, int] | None:
    """The stacks after a hand that is void, of seats that began it with so many chips: all action
    is undone, the chips go back to those who bet them, and with another deck it is dealt again
    (RR7-IRR-3, RR7-IRR-4). None where they are not all known."""
    known = {str(seat): chips for seat, chips in begun_with if chips is not None}
    return known if len(known) == len(begun_with) else None
