"""What the engine carries from one hand to the next, as a value that can be kept.

A journal keeps it between hands; an engine restored from it and fed the same observations
says the same, but for reminders of the hand that was over. It holds no tag: what lies on the
table is told to a restored engine anew.
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from controller.contract.observations import SeatChange, Table, TableBlinds, TableSeat
from controller.hand.trust import Trust
from controller.rules.belief import Belief
from controller.rules.between_hands import BetweenHands
from controller.rules.button import Positions
from controller.rules.decisions import Decided
from controller.rules.disputes import Disputed
from controller.rules.odds import Rates


class Redeal(Struct, frozen=True):
    """The hand that was void and is to be dealt again, and to which seats; `absent` are those whose
    players were not there for it."""

    hand: int
    seats: tuple[int, ...]
    absent: tuple[int, ...] = ()


class EngineState(Struct, frozen=True, omit_defaults=True):
    """`table` is the table record as it now stands, without its deck; `positions` are button, small
    and big blind of the last hand, `more_bigs` who posted a big blind too, `before` those of the
    one before it where that is dealt again, and `instead` what the last ones were if those do not
    play of whom it was asked and not answered. `ahead` is a hand and the seat that has had its big
    blind already; `unread_until` the readers that are or were missing (None: still), `decided` the
    floor's rulings of the last hand, `disputed` what is open of it, `short_deck` the number and
    time of the finding that cards are missing; `belief` is what of all this is not known, `rates`
    what the table has measured of itself, `chips` are all that are on the table, if that is known,
    and `between` is what the dealer's routine knows of the deck. `awarded`: the dealer has said so
    of the last hand's pot, and did so last at `award_t`; `told` are the seats of which somebody has
    said for the next hand who sits there (None: all), and `undealt` is the hand that was over
    before a card of it was dealt: it is dealt then."""

    table: Table
    hands: int
    t: float
    findings: int = 0
    positions: tuple[int, int, int] | None = None
    more_bigs: tuple[int, ...] = ()
    ahead: tuple[int, int] | None = None
    next_blinds: TableBlinds | None = None
    redeal: Redeal | None = None
    is_open: bool = True
    dealer: str | None = None
    unread_until: dict[str, float | None] = {}
    decided: tuple[Decided, ...] = ()
    disputed: tuple[Disputed, ...] = ()
    short_deck: tuple[int, float] | None = None
    trust: Trust = Trust()
    belief: Belief = Belief()
    rates: Rates = Rates()
    chips: int | None = None
    instead: tuple[frozenset[int], Positions] | None = None
    before: Positions | None = None
    between: BetweenHands = BetweenHands()
    awarded: bool = True
    told: frozenset[int] | None = None
    undealt: Redeal | None = None
    award_t: float | None = None

    def with_player(self, seat: int, told: SeatChange | None = None) -> EngineState:
        """The same, but that somebody is known to play at this seat: who was `told` to sit there,
        if he was, with the chips with which he came."""
        known = {s.seat: s for s in self.table.seats}
        sat, chips = known.get(seat, TableSeat(seat=seat, status="empty")), self.chips
        if sat.status == "empty":
            sat = replace(sat, stack=None, player=None)
        if told is not None and sat.stack is None and told.stack is not None:
            sat = replace(sat, stack=told.stack, player=told.player)
            chips = None if chips is None else chips + told.stack
        known[seat] = sat = replace(sat, status="seated")
        seats = tuple(known[seat] for seat in sorted(known))
        chips = None if sat.stack is None else chips
        table = replace(self.table, seats=seats)
        redeal = self.redeal
        if redeal is not None and seat not in redeal.seats:
            redeal = replace(redeal, seats=(*redeal.seats, seat))
        belief, known_of = self.belief.told(seat), self.told
        if told is not None and known_of is not None:
            known_of |= {seat}
        return replace(self, table=table, chips=chips, belief=belief, redeal=redeal, told=known_of)
