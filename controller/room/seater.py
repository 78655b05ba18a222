"""Tells the tables who sits where, as the register has it, and hears what they make of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress

import msgspec
from msgspec.structs import replace

from controller.contract.events import Result, Start
from controller.contract.messages import Answer, Hand, SeatsCommand, TableEvent
from controller.contract.sight import SeatChips
from controller.contract.view import TableView
from controller.room import seating
from controller.room.acts import ActError
from controller.room.changes import Changes
from controller.room.commander import Commander, Order
from controller.room.known import stacks_at
from controller.room.levels import AGAIN_MS, REFUSED_AGAIN_MS
from controller.room.outs import ACTOR, Outs
from controller.room.record_keeper import RecordKeeper
from controller.room.register import Player
from controller.room.room_time import RoomClocks
from controller.room.seat_draw import AtSeat
from controller.room.seating import Seats, SeatsTold, SeatTold, TableSeating
from controller.room.stacks import Sits, Stacks
from controller.room.table_rules import TableRules
from controller.room.table_split import EventTables
from controller.room.tables import TableSeen
from controller.room.tournament import figures

MOST_AT_ONCE = 100
STACKS_EVERY_MS = 10_000
"""Whoever looks on is told of other chips no oftener: each hand of each table changes some."""


class Seater:
    """Gives orders with a `commander` of its own, and tells `outs` who sits where. What a table has
    taken outlives the room where its store does: what was not answered is asked again as it was."""

    def __init__(
        self,
        commander: Commander,
        clocks: RoomClocks,
        keeper: RecordKeeper,
        watch: EventTables,
        changes: Changes,
        *,
        rules: TableRules,
        outs: Outs,
        told: dict[str, SeatsTold],
    ) -> None:
        """`told` is what the tables have taken, for others to look at; it is filled here."""
        self._commander = commander
        self._clocks = clocks
        self._keeper = keeper
        self._watch = watch
        self._changes = changes
        self._rules = rules
        self._outs = outs
        self._told = told
        before = keeper.at_tables
        told.update(before.told)
        self._unheard = set(told)
        self._stacks = Stacks(
            {
                each.entry: each.brings
                for each in keeper.record.register.players
                if each.brings is not None
            },
            {
                each.entrant: Sits(AtSeat(table, seat), each.player)
                for table, of in before.told.items()
                for seat, each in of.seats.items()
                if each.entrant
            },
            before.plays_on,
        )
        self._saw_start = not keeper.record.clock.begun
        self._chips: tuple[int, Mapping[str, int]] = 0, {}
        self._unanswered = {
            table: Order(table, "seats", of.asked, 0, "unanswered")
            for table, of in told.items()
            if of.asked is not None
        }
        self._hands: dict[str, tuple[int, bool]] = {}

    def answered(self, answer: Answer, correlation: bytes | None) -> None:
        """A table has answered."""
        self._commander.answered(answer, correlation)
        self._look()
        self._remember_stacks()
        self._keep()

    def event(self, table: str, event: TableEvent) -> None:
        """Something happened at a table."""
        if not isinstance(event.event, Start | Result):
            return
        self._outs.event(table, event.event, self._may_sit(table))

    def hand(self, table: str) -> None:
        """A table's hand was heard: who waited may play, and who is broke is shown."""
        seen = self._watch.tables.get(table)
        known = self._keeper.record.register.seats_of
        if seen is None or seen.hand is None or table not in known:
            return
        view, told = seen.hand.view, self._in_session(table, seen.hand)
        self._outs.hand(table, view, self._sitting(table))
        hand = view.hand, seating.is_over(view)
        if self._hands.get(table) != hand:  # who sits where now plays it there
            self._hands[table] = hand
            self._remember_stacks()
        self._come(table, view)
        after, said = seating.dealers_word(seating.arrivals(told, view), view)
        if after is not told:
            self._told[table] = after
        for seat, each in said.items():
            self._is_there(AtSeat(table, seat), each, view)
        playing = seating.plays_there(self._keeper.record.register, after, view)
        if not seating.is_over(view):
            self._deals_in(table, view, playing)
        if seating.began_after(view, after.hand):
            self._keeper.arrived(table, playing)

    def _deals_in(self, table: str, view: TableView, seats: Iterable[int]) -> None:
        """Who has come from elsewhere has a hand here before the table knew what he brought."""
        for seat in seats:
            at = AtSeat(table, seat)
            player = self._keeper.record.register.by_seat.get(at)
            shown = next((one.stack for one in view.seats if one.seat == seat), None)
            if player is not None and player.came is not None and shown is None:
                self._stacks.plays_unknown(player.entry)
                self._keeper.arrived(table, (seat,))

    def _come(self, table: str, view: TableView) -> None:
        """A dealer has said that somebody who was moved is there."""
        there = {each.seat: each.player for each in seating.sitting(view)}
        for seat, player in self._sitting(table).items():
            if player.coming and there.get(seat) == player.name:
                actor = f"{view.dealer or ACTOR}, {table}"[:80]
                with suppress(ActError):
                    self._keeper.act("arrive", {"player": player.id, "actor": actor})

    def _is_there(self, at: AtSeat, said: SeatTold, view: TableView) -> None:
        """A dealer has said whether a player is there. What else is so of him the desk knows."""
        player = self._keeper.record.register.by_seat.get(at)
        if player is not None and player.entry == said.entrant:
            actor = f"{view.dealer or ACTOR}, {at.table}"[:80]
            with suppress(ActError):
                fields = {"player": player.id, "status": said.status, "actor": actor}
                self._keeper.act("mark", fields)

    def _in_session(self, table: str, hand: Hand) -> SeatsTold:
        """What a table has taken in the session that it is in."""
        told = self._told.get(table, SeatsTold(""))
        if told.session != hand.session or table in self._unheard:
            self._unheard.discard(table)
            told = self._told[table] = seating.begun_anew(told, hand.session, hand.view)
        return told

    def has(self, at: AtSeat) -> SeatTold:
        """Whom a table has been told to have at a seat, and how, and has taken."""
        told = self._told.get(at.table)
        return SeatTold() if told is None else told.seats.get(at.seat, SeatTold())

    def stack(self, entrant: str) -> int | None:
        """What a player has, as the table shows it with which he has played."""
        return self._stacks.of(entrant)

    def known(self) -> Mapping[str, int]:
        """What each player has, by his entry: as his table shows it with which he has played, or
        else as the one shows it at which he sits."""
        there = stacks_at(self._watch.tables)
        found = {each.entry: self._known(each, there) for each in self._players}
        return {entry: chips for entry, chips in found.items() if chips is not None}

    def _known(self, player: Player, there: Mapping[AtSeat, SeatChips]) -> int | None:
        chips = self._stacks.of(player.entry)
        if chips is not None or player.at is None:
            return chips
        shown = there.get(player.at)
        return shown.chips if shown is not None and shown.player in (None, player.name) else None

    @property
    def _players(self) -> Sequence[Player]:
        return self._keeper.record.register.players

    def chips(self) -> Mapping[str, int]:
        """What the players have, by their entries, as it was not long ago."""
        return self._chips[1]

    def again(self, table: str) -> None:
        """Tell a table all of its seats again."""
        if table in self._told:
            self._unanswered.pop(table, None)
            self._told[table] = replace(
                self._told[table],
                seats={},
                hand=None,
                asked=None,
                again_ms=None,
                is_whole=True,
                agrees=frozenset(),
            )

    def forget(self, table: str) -> None:
        """A table is not ours any more: what it was told counts for nothing."""
        self._told.pop(table, None)
        self._unanswered.pop(table, None)
        self._stacks.forget(table)

    def tick(self) -> None:
        """Tell each table what it does not know yet, and again what it has not taken."""
        self._commander.tick()
        self._look()
        register = self._keeper.record.register
        self._remember_stacks()
        self._outs.tick()
        now_ms, sent = self._clocks.now_ms(), 0
        if now_ms - self._chips[0] >= STACKS_EVERY_MS:
            self._chips = now_ms, self._stacks.all()
        for one in register.tables:
            seen = self._watch.tables.get(one.table)
            if seen is None or not seen.live or seen.hand is None or sent >= MOST_AT_ONCE:
                continue
            told = self._in_session(one.table, seen.hand)
            if told.again_ms is not None and now_ms < told.again_ms:
                continue
            if told.order:
                self._repeat(one.table, told)
            elif carries := self._may_be_told(self._due(seen, told), told, seen.hand.view):
                sent += self._tell(seen, told, carries)
        self._keep()

    def seating(self) -> tuple[TableSeating, ...]:
        """How far each table of the tournament has what the register has."""
        return tuple(map(self._seating, (t.table for t in self._keeper.record.register.tables)))

    def _sitting(self, table: str) -> dict[int, Player]:
        sitting = self._keeper.record.register.by_seat.items()
        return {at.seat: player for at, player in sitting if at.table == table}

    def _may_sit(self, table: str) -> dict[int, list[SeatTold]]:
        """Whom a table has: as it has taken it, or has been told, or else as the register has it,
        since nobody may have had to be told."""
        told, register = self._told.get(table, SeatsTold("")), self._sitting(table)
        seats = {seat: SeatTold(one.entry, one.name) for seat, one in register.items()}
        return {
            seat: [of[seat] for of in (told.seats, told.carries, seats) if seat in of]
            for seat in {*told.seats, *told.carries, *seats}
        }

    def _due(self, seen: TableSeen, told: SeatsTold) -> Seats:
        if seen.hand is None:
            return {}
        view, register = seen.hand.view, self._keeper.record.register
        wanted = seating.wanted(register, seen.id, view, self._rules.at(seen.id))
        return seating.missing(wanted, told, view, seating.left_for_others(register, view))

    def _may_be_told(self, due: Seats, told: SeatsTold, view: TableView) -> Seats:
        """Who still sits elsewhere, or plays a hand there, comes with the chips that he has then;
        who comes to a seat at which another plays, comes after it. Until then who sat there has
        gone."""
        in_play = frozenset[int]() if seating.is_over(view) else seating.dealt_in(view)
        new = seating.newcomers(due, told.seats, view)
        names = {one.seat: one.player for one in seating.sitting(view)}
        found: dict[int, SeatTold] = {}
        for seat, each in due.items():
            at = AtSeat(view.table, seat)
            if each.entrant not in new or not (
                seat in in_play or self._is_elsewhere(each.entrant, at)
            ):
                found[seat] = each
            elif (
                told.seats[seat].entrant
                if seat in told.seats
                else names.get(seat) not in (None, each.player)
            ):
                found[seat] = SeatTold()
        return found

    def _is_elsewhere(self, entry: str, at: AtSeat) -> bool:
        """Whether another seat has him, or may have: what is not answered may have been taken."""
        return self._stacks.is_elsewhere(entry, at) or any(
            each.entrant == entry and AtSeat(table, seat) != at
            for table, told in self._told.items()
            if told.order
            for seat, each in told.carries.items()
        )

    def _repeat(self, table: str, told: SeatsTold) -> None:
        """What is not answered is asked as it was: the chips that it brings come once."""
        order = self._unanswered.pop(table, None)
        if order is not None:
            self._told[table] = replace(told, again_ms=None)
            self._commander.repeat(order)

    def _tell(self, seen: TableSeen, told: SeatsTold, carries: Seats) -> bool:
        if seen.hand is None:
            return False
        new = seating.newcomers(carries, told.seats, seen.hand.view)
        stacks = {one: chips for one in new if (chips := self._stack(one)) is not None}
        fields = {
            "seats": msgspec.to_builtins(seating.orders(carries, stacks)),
            "actor": ACTOR,
            "session": told.session,
        }
        order = self._commander.try_give(seen.id, "seats", fields)
        if order is None or not isinstance(order.command, SeatsCommand):
            return False
        self._told[seen.id] = replace(told, asked=order.command, carries=carries, again_ms=None)
        self._changes.now()
        return True

    def _stack(self, entrant: str) -> int | None:
        """What a player brings to a seat: what he had where he sat before, or to begin with. A room
        that was not there as play began does not know who has played since."""
        record = self._keeper.record
        known = self._stacks.of(entrant)
        if known is not None:
            return known
        player = record.register.by_id[entrant.partition(" ")[0]]
        if player.played or not (self._saw_start or player.status == "waiting"):
            return None
        stack = record.clock.structure.stack
        return figures(record.tournament, None, stack).starting_stack

    def _keep(self) -> None:
        self._keeper.told(self._told, self._stacks.plays_on)

    def _remember_stacks(self) -> None:
        """What the players have, by the tables that have taken who they are."""
        in_ = frozenset(each.entry for each in self._players if each.status != "out")
        there = dict(self._there())
        self._stacks.look(in_, there, self._watch.tables)
        between = (p for p in self._players if p.at is None or p.new or p.came is not None)
        brings = {
            each.id: chips
            for each in between
            if (chips := self._stacks.settled(each.entry)) is not None
        }
        if brings:
            self._keeper.bring(brings)

    def brings(self, player: str, chips: int) -> None:
        """Somebody has said what a player brings to his new table."""
        found = self._keeper.record.register.by_id.get(player)
        if found is not None:
            self._stacks.brings(found.entry, chips)

    def _there(self) -> Iterator[tuple[str, Sits]]:
        """Whom the tables that are heard have where."""
        for table, told in self._told.items():
            seen = self._watch.tables.get(table)
            if seen is None or not seen.live or seen.hand is None:
                continue
            if seen.hand.session == told.session:
                for seat, each in told.seats.items():
                    if each.entrant:
                        yield each.entrant, Sits(AtSeat(table, seat), each.player)

    def _look(self) -> None:
        """What has become of what the tables were told."""
        now_ms = self._clocks.now_ms()
        for table, told in self._told.items():
            order = self._commander.orders.get(told.order)
            if order is None or order.status == "sent":
                continue
            if order.status == "unanswered":
                if table not in self._unanswered:
                    self._unanswered[table] = order
                    self._told[table] = replace(told, again_ms=now_ms + AGAIN_MS)
                continue
            self._unanswered.pop(table, None)
            if order.status == "confirmed":
                view = self._watch.view(table)
                after = replace(
                    told,
                    seats={**told.seats, **told.carries},
                    agrees=told.agrees - told.carries.keys(),
                    hand=0 if view is None else view.hand,
                    again_ms=None,
                    trouble="",
                )
            else:
                is_past = order.command.session != told.session
                after = replace(
                    told,
                    again_ms=now_ms + (AGAIN_MS if is_past else REFUSED_AGAIN_MS),
                    trouble=told.trouble if is_past else order.words,
                )
            self._told[table] = replace(after, asked=None, carries={})
            self._changes.now()

    def told(self, entry: str, chips: int, table: str, hand: int) -> None:
        """A table has taken that a player has these after a hand. Of a later one it is the table
        that knows: he may have lost them before it answered."""
        view = self._watch.view(table)
        if view is not None and view.hand == hand:
            self._stacks.told(entry, chips)

    def _seating(self, table: str) -> TableSeating:
        seen, told = self._watch.tables.get(table), self._told.get(table)
        if seen is None or not seen.live or seen.hand is None:
            return TableSeating(table, "away")
        if told is None or told.session != seen.hand.session:
            return TableSeating(table, "sent")
        if told.trouble:
            return TableSeating(table, "refused", told.trouble)
        if told.order or told.again_ms is not None or self._due(seen, told):
            return TableSeating(table, "sent")
        view = seen.hand.view
        differs = seating.differences(told, view, self._outs.at(table))
        is_so = seating.began_by(view, told.hand)
        return TableSeating(table, "taken" if is_so else "pending", differs=differs)
