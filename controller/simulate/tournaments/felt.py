"""A table of a simulated tournament: the table's own rules of who is dealt in and from where, with
hands by chance instead of sensors."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from controller.contract.events import Blinds, Result, Start, StartSeat
from controller.contract.observations import SeatChange, Table, TableBlinds, TableSeat, level_of
from controller.contract.sight import SeatChips
from controller.contract.view import SeatView, TableView
from controller.hand.setup import Setup
from controller.room import seating
from controller.room.balance import TableNow
from controller.room.register import Register
from controller.room.seating import SeatsTold
from controller.rules.button import Positions
from controller.rules.hand import Hand
from controller.rules.rulebook import RuleBook
from controller.simulate.tournaments import chance


class Felt:
    """Chairs, at which nobody sits before the room says so. `hand` is the one that runs, and
    `number` the last that was dealt."""

    def __init__(self, name: str, chairs: int, book: RuleBook, level: Blinds) -> None:
        self.name = name
        self.chairs = chairs
        self.number = 0
        self.hand: Hand | None = None
        self._book = book
        self._told = SeatsTold("t", hand=0)
        self._setup = Setup.of(
            Table(
                v=1,
                table=name,
                rulebook=book.id,
                seats=tuple(TableSeat(seat=seat, status="empty") for seat in range(1, chairs + 1)),
                button=1,
                blinds=TableBlinds(**level_of(level)),
            ),
            book,
        )

    @property
    def last(self) -> Positions | None:
        """The positions of the hand that runs, or of the last one."""
        return self._setup.positions

    @property
    def now(self) -> TableNow:
        """The table as balancing sees it."""
        return TableNow(self._book.tournament, self._setup.positions)

    def view(self) -> TableView:
        """The table's picture, as far as the room reads it for its seats."""
        place = self._setup.positions
        seats = () if self.hand is None else tuple(self.hand.betting.players)
        return TableView(
            table=self.name,
            rulebook=self._book.id,
            hand=self.number,
            phase="complete" if self.hand is None else "flop",
            button=self._setup.button if place is None else place.button,
            small=None if place is None else place.small,
            big=None if place is None else place.big,
            seats=tuple(SeatView(seat) for seat in (seats or self._dealt)),
            stacks=None if self.hand is not None else self._between_hands(),
        )

    def _between_hands(self) -> tuple[SeatChips, ...]:
        sits = (one for one in self._setup.seats.values() if one.status != "empty")
        return tuple(SeatChips(one.seat, one.stack, one.player) for one in sits)

    _dealt: tuple[int, ...] = ()

    def stacks(self) -> dict[int, int]:
        """What is before whom who sits there; in a hand, what he began it with."""
        sits = self._setup.seats.values()
        return {one.seat: one.stack or 0 for one in sits if one.status != "empty"}

    def sits(self) -> dict[int, str]:
        """Who sits where, by the names that the table was told."""
        sits = (one for one in self._setup.seats.values() if one.status != "empty")
        return {one.seat: one.player or "" for one in sits}

    def begins_from(self, button: int) -> None:
        """The next hand is as the first one, with the button here."""
        self._setup.button, self._setup.positions = button, None

    def level(self, level: Blinds) -> None:
        """What is played from the next hand on."""
        self._setup.set_level(TableBlinds(**level_of(level)))

    def is_told(self, register: Register, chips: Mapping[str, int]) -> None:
        """Takes what the room has of its seats and the table has not; who is new comes with his
        `chips`, which are known by the entries."""
        view, told = self.view(), self._told
        wanted = seating.wanted(register, self.name, view, self._book.tournament)
        missing = seating.missing(wanted, told, view)
        if not missing:
            return
        new = seating.newcomers(missing, told.seats, view)
        for order in seating.orders(missing, {one: chips[one] for one in new}):
            self._changes(
                SeatChange(
                    t=0.0,
                    seat=order.seat,
                    status=order.status,
                    stack=order.stack,
                    player=order.player,
                )
            )
        self._told = SeatsTold("t", seats={**told.seats, **missing}, hand=self.number)

    def buys(self, seat: int, chips: int) -> None:
        """Between two hands a seat has these."""
        self._setup.set_stack(seat, chips)

    def _changes(self, change: SeatChange) -> None:
        if change.stack is not None and self.hand is not None:
            self._setup.given[change.seat] = change.stack
        self._setup.change_seat(change)

    @property
    def can_deal(self) -> bool:
        """Whether there are players for a hand."""
        return self.hand is None and len(self._setup.entitled()) > 1

    def begins(self, t: float) -> Start:
        """Deals a hand, and posts."""
        setup = self._setup
        place, seats = setup.due(self.number + 1, None), setup.entitled()
        if place is None:
            raise RuntimeError(f"{self.name} has no players for a hand")
        self.number += 1
        setup.hand_begins(place, seats, is_redeal=False, keeps_level=False)
        self.hand = setup.new_hand(self.number, t, place, seats)
        self._dealt = tuple(self.hand.betting.players)
        self._told = seating.arrivals(self._told, self.view())
        return Start(
            t,
            self.number,
            tuple(StartSeat(p.seat, p.stack, p.name) for p in self.hand.betting.players.values()),
            place.button,
            setup.level,
        )

    def ends(self, t: float, random: Random) -> Result:
        """Plays it."""
        hand = self.hand
        if hand is None:
            raise RuntimeError(f"{self.name} plays no hand")
        stacks = chance.play(hand.betting, self._setup.absent(), random)
        told = {str(seat): chips for seat, chips in stacks.items()}
        self._setup.hand_over(hand, told)
        self.hand = None
        return Result(t, hand.number, (), stacks=told)
