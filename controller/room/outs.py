"""Proposes who is out, and takes out whom his dealer says it of."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

from msgspec.structs import replace

from controller.contract.events import Event
from controller.contract.view import TableView
from controller.room import broke, seating
from controller.room.acts import ActError
from controller.room.broke import Broke, BrokeAt
from controller.room.changes import Changes
from controller.room.known import at_tables
from controller.room.record_keeper import RecordKeeper
from controller.room.register import Player
from controller.room.rounds import RoundNow
from controller.room.seat_draw import AtSeat
from controller.room.seating import ProposedOut, SeatsTold, SeatTold
from controller.room.table_rules import TableRules
from controller.room.table_split import EventTables

ACTOR = "the room's register"


class Outs:
    """Looks at what is left of everybody after each hand. `rules` say how those are placed who lose
    all in one. Nobody is out at a seat at which his table was not told to have him."""

    def __init__(
        self,
        keeper: RecordKeeper,
        watch: EventTables,
        changes: Changes,
        *,
        rules: TableRules,
        told: Mapping[str, SeatsTold],
        round_: Callable[[], RoundNow | None],
    ) -> None:
        """`told` is what the tables have taken, as it changes; `round_` is the hand that all
        tables play together, if they do: who goes out in it is placed once all have played it."""
        self._round = round_
        self._told = told
        self._keeper = keeper
        self._watch = watch
        self._changes = changes
        self._rules = rules
        self._broke: dict[str, Broke] = {}
        self._dealers_word: dict[str, int] = {}

    def event(self, table: str, event: Event, may_sit: Mapping[int, Sequence[SeatTold]]) -> None:
        """A hand of a table began or is over; see `broke.on_event`."""
        before = self._broke.get(table, Broke())
        after = self._broke[table] = broke.on_event(before, event, may_sit)
        if after.seats != before.seats:
            self._changes.now()

    def hand(self, table: str, view: TableView, players: Mapping[int, Player]) -> None:
        """A picture of a table was heard, at which these sit by the register."""
        self._broke[table] = broke.on_view(self._broke.get(table, Broke()), view, players)

    def at(self, table: str) -> Mapping[int, BrokeAt]:
        """Who had nothing left at which seat of a table."""
        return self._broke.get(table, Broke()).seats

    def proposed(self) -> tuple[ProposedOut, ...]:
        """Who seems to be out: nobody who has bought chips since."""
        register = self._keeper.record.register
        return tuple(
            replace(each, share=self._shares(each.table))
            for each in broke.proposed(self._broke, register)
            if not self._has_bought(each, register.by_id[each.entrant])
        )

    def tick(self) -> None:
        """Takes out who is out by what the dealers have said. It is done once: the desk may know
        better. Who has left the seat where he lost is asked for no more, even if he is back."""
        self._broke = {table: self._without_left(table, of) for table, of in self._broke.items()}
        proposed, now = self.proposed(), self._round()
        if now is not None:
            self._after_round(proposed, now)
            return
        for one in self._keeper.record.register.tables:
            self._takes_out(self._said_at(one.table, proposed))

    def _after_round(self, proposed: Sequence[ProposedOut], now: RoundNow) -> None:
        """Who went out in a hand that all tables played goes out at once, once each dealer has said
        so."""
        tables = dict.fromkeys(one.table for one in proposed)
        said = [out for table in tables for out in self._said_at(table, proposed)]
        if not now.waits_for and len(said) == len(proposed):
            self._takes_out(said)

    def _said_at(self, table: str, proposed: Sequence[ProposedOut]) -> Sequence[ProposedOut]:
        view, after = self._watch.view(table), self._dealers_word.get(table, -1)
        return () if view is None else seating.said_out(proposed, view, after)

    def _takes_out(self, outs: Sequence[ProposedOut]) -> None:
        if not outs:
            return
        self._dealers_word |= {one.table: one.hand for one in outs}
        views = [self._watch.view(table) for table in dict.fromkeys(one.table for one in outs)]
        dealers = {view.dealer for view in views if view is not None and view.dealer}
        by = ", ".join(sorted(dealers)) or ACTOR
        tables = ", ".join(dict.fromkeys(one.table for one in outs))
        known = at_tables(self._watch.tables)
        with suppress(ActError):  # it stays proposed at the desk
            self._keeper.act(*as_told(outs, f"{by}, {tables}"[:80]), known=known)

    def _without_left(self, table: str, of: Broke) -> Broke:
        sitting = self._keeper.record.register.by_seat
        seats = {
            seat: one
            for seat, one in of.seats.items()
            if (player := sitting.get(AtSeat(table, seat))) is not None
            and player.entry == one.entrant
            and self._has(table, seat, one.entrant)
        }
        return of if len(seats) == len(of.seats) else replace(of, seats=seats)

    def _has(self, table: str, seat: int, entry: str) -> bool:
        told = self._told.get(table)
        return told is None or seat not in told.seats or told.seats[seat].entrant == entry

    def _has_bought(self, one: ProposedOut, player: Player) -> bool:
        view = self._watch.view(one.table)
        return player.bought != player.delivered or (
            view is not None and seating.has_chips(view, one)
        )

    def _shares(self, table: str) -> bool:
        now = self._round()
        if now is not None and now.share:
            return True
        says = self._rules.at(table).same_hand
        return says is not None and says.way == "share"


def as_told(outs: Sequence[ProposedOut], actor: str) -> tuple[str, Mapping[str, object]]:
    """The act by which these are out."""
    if len(outs) == 1:
        return "bust", {"entrant": outs[0].entrant, "actor": actor}
    gone = [{"entrant": one.entrant, "began": one.began} for one in outs]
    return "busts", {"outs": gone, "share": outs[0].share, "actor": actor}
