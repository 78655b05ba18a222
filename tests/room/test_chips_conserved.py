"""Whatever happens in an evening, no chip is lost or made: tables with the real engine follow the
register through moves in the middle of hands, rebuys, lost answers, outages and restarts.

`EVENINGS=40 ./run test tests/room/test_chips_conserved.py` plays more of them than every run does.
"""

from __future__ import annotations

import os
import random
from typing import TYPE_CHECKING

import pytest

from controller.broker.client import Incoming
from controller.contract.events import Event
from controller.contract.messages import (
    TABLE_COMMAND,
    TABLE_EVENT,
    TABLE_HAND,
    TABLE_STATE,
    Hand,
    State,
    TableEvent,
)
from controller.contract.view import BETWEEN_HANDS, TableView
from controller.library.books import Library
from controller.room.acts import ActError
from controller.room.register import Player
from controller.room.seat_draw import AtSeat
from controller.room.store import RoomStore
from controller.table.commands import Accepted, answer, judge
from tests.room.evening import SITE, Hall, Machine
from tests.room.felt import Felt

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

STACK = 5_000
ADD_ON = 700
TABLES = ("T1", "T2", "T3")
PLAYERS = 14
EVENINGS = range(int(os.environ.get("EVENINGS", "6")))
DEALT_IN_UNTOLD = {6, 15}
"""Evenings in which a dealer deals to somebody whose table has not been told yet what he brings,
since its answers were lost: what he has after that hand nobody can know, and it is said so."""


class RoomTable:
    """One of the room's tables: it judges commands as the real one does, and may be cut off."""

    def __init__(self, hall: Hall, name: str, library: Library) -> None:
        self.hall = hall
        self.name = name
        self.session = f"{name}-1"
        self.is_there = True
        self.loses_answers = 0
        self._ids: set[str] = set()
        self._seq = 0
        self._at = 0
        self._owed: list[TableEvent] = []
        self.felt = Felt(name, library, self._tells, self._shows)
        self.back()

    @property
    def is_in_a_hand(self) -> bool:
        return self.felt.view.phase not in BETWEEN_HANDS

    def back(self) -> None:
        self.is_there = True
        self.hall.hears(TABLE_STATE.message(SITE, self.name, payload=self._state("ready")))
        self._at = len(self.hall.sent)
        for said in self._owed:
            self.hall.hears(TABLE_EVENT.message(SITE, self.name, payload=said))
        self._owed = []
        self._shows(self.felt.view)

    def lost(self) -> None:
        self.is_there = False
        self.hall.hears(TABLE_STATE.message(SITE, self.name, payload=self._state("lost")))

    def restarts(self) -> None:
        """Its journal has all that it knew; what the room said meanwhile it has not heard."""
        self.lost()
        self.session = f"{self.name}-{random.randrange(10**9)}"
        self._seq = 0
        self._owed = []
        self.back()

    def listens(self) -> None:
        """Does what the room has told it since."""
        told, self._at = self.hall.sent[self._at :], len(self.hall.sent)
        for message in told:
            names = TABLE_COMMAND.names(SITE, message.topic)
            if names is None or names[0] != self.name or not self.is_there:
                continue
            verdict = judge(
                names[1],
                message.payload,
                retained=False,
                session=self.session,
                hand=self.felt.view.hand,
                open_findings=(),
                had=self._ids.__contains__,
                t=0.0,
            )
            if isinstance(verdict, Accepted):
                self._ids.add(verdict.id)
                for observation in verdict.observations:
                    self.felt.takes(observation)
            said = answer(
                verdict,
                SITE,
                response_topic=message.response_topic,
                correlation=message.correlation,
            )
            if said is not None and self.loses_answers:
                self.loses_answers -= 1
            elif said is not None:
                self.hall.room.received(
                    Incoming(said.topic, said.payload, False, None, said.correlation)
                )

    def _state(self, word: str) -> State:
        return State(word, self.session, "0")  # type: ignore[arg-type]

    def _shows(self, view: TableView) -> None:
        if self.is_there:
            said = Hand(self.session, 1, 1, view)
            self.hall.hears(TABLE_HAND.message(SITE, self.name, payload=said))

    def _tells(self, event: Event) -> None:
        self._seq += 1
        said = TableEvent(self.session, self._seq, 0, event)
        if self.is_there:
            self.hall.hears(TABLE_EVENT.message(SITE, self.name, payload=said))
        else:
            self._owed.append(said)


class Evening:
    """What happens, by chance."""

    def __init__(self, seed: int, library: Library, store: Path, *, restarts: bool) -> None:
        self.random = random.Random(seed)
        self._restarts = restarts
        self.log: list[str] = []
        self._machine, self._store, self._rooms = Machine(), store, 0
        self.hall = self._room()
        self.hall.act("tables", tables=[{"table": name, "seats": 9} for name in TABLES])
        self.hall.act("tournament", starting_stack=STACK)
        self.hall.act("offer", what="rebuy", at_most=STACK)
        self.hall.act("offer", what="re-entry")
        self.hall.act("offer", what="add-on", chips=ADD_ON)
        self.hall.act("import", players=[{"name": f"P{n}"} for n in range(PLAYERS)])
        self.tables = [RoomTable(self.hall, name, library) for name in TABLES]
        self.hall.act("draw", seed=str(seed))
        self.quiet()
        self.hall.act("start")

    def _room(self) -> Hall:
        self._rooms += 1
        store, session = RoomStore.open(self._store), f"s{self._rooms}"
        hall = Hall(self._machine, store=store, session=session)
        hall.room.link(True)
        return hall

    def room_restarts(self) -> None:
        """It has what it has kept, and hears of the tables what they show."""
        self.log.append("the room restarts")
        self.hall.room.close()
        self.hall = self._room()
        for table in self.tables:
            table.hall = self.hall
            table.loses_answers = 0
            if table.is_there:
                table.back()
            else:
                table.lost()

    def quiet(self) -> None:
        """All are heard, and answer, and nothing happens."""
        for table in self.tables:
            table.loses_answers = 0
            if not table.is_there:
                table.back()
        for _ in range(40):
            self.seconds(1)

    def seconds(self, count: int) -> None:
        for _ in range(count):
            self.hall.passes(1_000)
            for table in self.tables:
                table.listens()

    def asks(self, name: str, /, **fields: object) -> None:
        self.log.append(f"{name} {fields}")
        try:
            self.hall.act(name, **fields)
        except ActError as error:
            self.log[-1] += f": {error}"

    def anybody(self) -> str:
        return self.random.choice(self.hall.room.view().register.players).id

    def sitting(self) -> list[tuple[AtSeat, Player]]:
        return list(self.hall.room.view().register.by_seat.items())

    def sits(self) -> None:
        at = self.random.choice(TABLES)
        seat = self.random.randint(1, 9)
        swap = {"swap": True} if self.random.random() < 0.3 else {}
        said = {"announce": True} if self.random.random() < 0.5 else {}
        self.asks("sit", player=self.anybody(), table=at, seat=seat, **swap, **said)

    def arrives(self) -> None:
        """Who was moved walks once his hand is over; his dealer says that he is there, or the
        desk."""
        playing = {
            each.player
            for table in self.tables
            if table.is_in_a_hand
            for each in table.felt.view.seats
        }
        for at, player in self.sitting():
            table = next(each for each in self.tables if each.name == at.table)
            is_heard = player.came is None or player.came.table not in self.away()
            is_there = player.coming and player.name not in playing and is_heard
            if not is_there or self.random.random() < 0.5:
                continue
            if self.random.random() < 0.5:
                self.asks("arrive", player=player.id)
            elif not table.is_in_a_hand and table.is_there:
                self.log.append(f"{table.name} dealer says {player.name} is at {at.seat}")
                table.felt.says_here(at.seat, player.name)
                self.seconds(2)  # until he has his chips before him

    def stands(self) -> None:
        player = self.anybody()
        if self.is_heard(player):
            self.asks("stand", player=player)

    def redraws(self) -> None:
        """A table breaks, or all are drawn anew."""
        if not self.away():
            stay = self.random.sample(TABLES, self.random.choice((2, 2, 3)))
            self.asks("redraw", tables=stay, seed="s", all=self.random.random() < 0.5)

    def undraws(self) -> None:
        if not self.away():
            self.asks("undraw")

    def away(self) -> set[str]:
        return {table.name for table in self.tables if not table.is_there}

    def is_heard(self, player: str) -> bool:
        """From a table that can't be heard nobody is taken: what he has there nobody knows."""
        at = self.hall.room.view().register.by_id[player].at
        return at is None or at.table not in self.away()

    def out(self) -> None:
        proposed = [p for p in self.hall.room.view().proposed if p.table not in self.away()]
        if not proposed:
            return
        if self.random.random() < 0.5:
            table = next(each for each in self.tables if each.name == proposed[0].table)
            if not table.is_in_a_hand:
                self.log.append(f"{table.name} dealer says out {table.felt.view.broke}")
                table.felt.says_out()
        else:
            self.asks("bust", entrant=proposed[0].entrant)

    def gives_back(self) -> None:
        """Between two hands: what is lost in one can't be given back after it."""
        player = self.hall.room.view().register.by_id[self.anybody()]
        for table in self.tables:
            is_his = player.at is not None and player.at.table == table.name
            if is_his and not (table.is_in_a_hand or table.loses_answers or not table.is_there):
                self.asks("unbuy", player=player.id, what="add-on")
                self.seconds(1)

    def plays(self, table: RoomTable) -> None:
        seats = list(table.felt.stacks())
        pair = self.random.sample(seats, 2) if len(seats) > 1 else []
        all_in = pair if self.random.random() < 0.6 else []
        self.log.append(f"{table.name} deals, all in {all_in}")
        table.felt.begins(all_in)
        for _ in range(self.random.randint(0, 2)):
            self.happens(in_a_hand=table)
        table.felt.ends()
        self.seconds(self.random.randint(0, 3))

    def happens(self, in_a_hand: RoomTable | None = None) -> None:
        table = self.random.choice(self.tables)
        things: list[tuple[int, Callable[[], object]]] = [
            (4, self.sits),
            (4, self.arrives),
            (2, self.out),
            (1, self.stands),
            (1, self.redraws),
            (1, self.undraws),
            (1, lambda: self.asks("buy", player=self.anybody(), what="rebuy")),
            (1, lambda: self.asks("buy", player=self.anybody(), what="add-on")),
            (1, lambda: self.asks("buy", player=self.anybody(), what="re-entry")),
            (1, self.gives_back),
            (1, lambda: self.asks("mark", player=self.anybody(), status="absent")),
            (1, lambda: self.asks("mark", player=self.anybody(), status="seated")),
            (1, lambda: self.cut(table)),
            (2, table.back),
            (1, lambda: setattr(table, "loses_answers", self.random.randint(1, 3))),
            (1, table.restarts),
        ]
        if self._restarts:
            things.append((1, self.room_restarts))
        if in_a_hand is None:
            things.append((9, lambda: self.plays(table)))
        (thing,) = self.random.choices([each for _, each in things], [n for n, _ in things])
        thing()
        self.seconds(self.random.choice((0, 0, 1, 3, 9)))

    def cut(self, table: RoomTable) -> None:
        """In a hand too that somebody plays on who was moved."""
        self.log.append(f"{table.name} is cut off")
        table.lost()

    def ends(self) -> None:
        """Everybody who is in sits, everything is told, and each table has played."""
        self.quiet()
        for _, player in self.sitting():
            if player.coming:
                self.asks("arrive", player=player.id)
        free = list(self.hall.room.view().register.free())
        for player in self.hall.room.view().register.players:
            if player.status == "entered":
                at = free.pop()
                self.asks("sit", player=player.id, table=at.table, seat=at.seat)
        for number in range(3):
            self.quiet()
            if number == 1:  # who was left where a room that restarted had not told it
                for seating in self.hall.room.view().seating:
                    if seating.differs:
                        self.asks("tell-seats", table=seating.table)
                self.quiet()
            for table in self.tables:
                table.felt.deals()
        self.quiet()


def chips(evening: Evening) -> int:
    """Those at the tables, all of which are known."""
    there = 0
    for table in evening.tables:
        stacks = table.felt.stacks()
        assert all(chips is not None for chips in stacks.values()), (table.name, stacks)
        there += sum(chips or 0 for chips in stacks.values())
    return there


def in_play(evening: Evening) -> int:
    """Those that have come into play."""
    register = evening.hall.room.view().register
    bought = [what for player in register.players for what in player.delivered]
    stacks_in = len(register.players) + bought.count("re-entry") + bought.count("rebuy")
    return stacks_in * STACK + bought.count("add-on") * ADD_ON


@pytest.mark.parametrize("seed", [*EVENINGS, 67, 114, 428, 456, 517])
def test_no_chip_is_lost_or_made(library: Library, tmp_path: Path, seed: int) -> None:
    plays_an_evening(Evening(seed, library, tmp_path / "room.sqlite", restarts=False))


@pytest.mark.parametrize("seed", sorted({*EVENINGS, 46, 47, 49, 55, 317} - DEALT_IN_UNTOLD))
def test_none_is_when_the_room_restarts(library: Library, tmp_path: Path, seed: int) -> None:
    plays_an_evening(Evening(seed, library, tmp_path / "room.sqlite", restarts=True))


@pytest.mark.parametrize("seed", sorted(DEALT_IN_UNTOLD))
def test_what_nobody_can_know_is_said_to_be_unknown(
    library: Library, tmp_path: Path, seed: int
) -> None:
    evening = Evening(seed, library, tmp_path / "room.sqlite", restarts=True)
    passes(evening)
    there = [chips for table in evening.tables for chips in table.felt.stacks().values()]
    assert None in there
    assert sum(chips or 0 for chips in there) <= in_play(evening)


def plays_an_evening(evening: Evening) -> None:
    passes(evening)
    there, all_ = chips(evening), in_play(evening)
    assert there == all_, evening.log


def passes(evening: Evening) -> None:
    """At its end everybody sits where the register has him."""
    for _ in range(60):
        evening.happens()
    evening.ends()
    register = evening.hall.room.view().register
    for table in evening.tables:
        here = {at.seat for at in register.by_seat if at.table == table.name}
        dealt = set(table.felt.stacks())
        assert dealt <= here <= dealt | set(table.felt.view.gone), (table.name, evening.log)


class Move:
    """Seven at one table and five at another, who play on; the one who is due moves in a hand."""

    def __init__(self, library: Library, store: Path | None = None) -> None:
        self._library, self._store = library, store
        self.machine = Machine()
        self.hall = self._room("s1")
        self.hall.act("tables", tables=[{"table": name, "seats": 9} for name in ("T1", "T2")])
        self.hall.act("tournament", starting_stack=STACK)
        for name, count in (("T1", 7), ("T2", 5)):
            for seat in range(1, count + 1):
                self.hall.act("enter", name=f"{name}-{seat}", table=name, seat=seat)
        self.tables = [RoomTable(self.hall, name, library) for name in ("T1", "T2")]
        self.seconds(10)
        self.hall.act("start")
        self.seconds(3)
        for table in self.tables:
            table.felt.deals()
        self.seconds(3)
        self.mover = self.hall.room.view().to_move[0]

    def _room(self, session: str) -> Hall:
        store = None if self._store is None else RoomStore.open(self._store)
        rules = self._library.book
        hall = Hall(
            self.machine, store=store, session=session, rules=lambda book: rules(book).tournament
        )
        hall.room.link(True)
        return hall

    def seconds(self, count: int) -> None:
        for _ in range(count):
            self.hall.passes(1_000)
            for table in self.tables:
                table.listens()

    def moves(self) -> None:
        to = self.mover.to
        fields = {"player": self.mover.mover.player, "table": to.table, "seat": to.seat}
        self.hall.act("sit", **fields, announce=True)

    def restarts(self) -> None:
        self.hall.room.close()
        self.hall = self._room("s2")
        for table in self.tables:
            table.hall = self.hall
            table.back()
        self.seconds(5)

    def chips(self) -> int:
        """At the tables, once the mover is there and each has dealt."""
        self.seconds(8)
        self.hall.act("arrive", player=self.mover.mover.player)
        self.seconds(5)
        for table in self.tables:
            table.felt.deals()
        self.seconds(5)
        stacks = [table.felt.stacks() for table in self.tables]
        assert sorted(map(len, stacks)) == [6, 6]
        return sum(chips or 0 for each in stacks for chips in each.values())


@pytest.mark.parametrize("told", [True, False])
def test_a_room_that_restarts_while_somebody_is_moved_knows_what_he_brings(
    library: Library, tmp_path: Path, *, told: bool
) -> None:
    move = Move(library, tmp_path / "room.sqlite")
    move.tables[0].felt.begins()
    move.seconds(1)
    move.moves()
    move.seconds(3 if told else 0)
    move.restarts()
    assert move.hall.room.view().register.by_id[move.mover.mover.player].coming
    move.tables[0].felt.ends()
    assert move.chips() == 12 * STACK


@pytest.mark.parametrize("told", [0, 2, 6])
@pytest.mark.parametrize("restarts", [False, True])
def test_who_was_drawn_elsewhere_by_mistake_has_what_he_had(
    library: Library, tmp_path: Path, *, told: int, restarts: bool
) -> None:
    """All seats are redrawn in the middle of a hand, and the draw is taken back."""
    move = Move(library, tmp_path / "room.sqlite")
    before = [set(table.felt.stacks()) for table in move.tables]
    for table in move.tables:
        table.felt.begins()
    move.seconds(1)
    move.hall.act("redraw", tables=["T1", "T2"], seed="s", all=True)
    move.seconds(told)
    move.hall.act("undraw")
    if restarts:
        move.restarts()
    for table in move.tables:
        table.felt.ends()
    move.seconds(8)
    for table in move.tables:
        table.felt.deals()
    move.seconds(8)
    stacks = [table.felt.stacks() for table in move.tables]
    assert [set(each) for each in stacks] == before
    assert sum(chips or 0 for each in stacks for chips in each.values()) == 12 * STACK


def test_what_was_lost_at_a_table_that_was_away_is_not_made_again(library: Library) -> None:
    move = Move(library)
    move.tables[0].felt.begins((1, move.mover.mover.at.seat))  # all in, against aces
    move.moves()
    move.seconds(2)
    move.tables[0].lost()
    move.seconds(10)
    move.tables[0].felt.ends()
    move.tables[0].back()
    assert move.chips() == 12 * STACK


def test_a_room_that_restarts_while_somebody_changes_seats_keeps_his_chips(
    library: Library, tmp_path: Path
) -> None:
    """At the same table, while a hand runs there."""
    move = Move(library, tmp_path / "room.sqlite")
    table = move.tables[0]
    table.felt.begins()
    move.seconds(1)
    move.hall.act("sit", player="p2", table="T1", seat=9)
    move.restarts()
    table.felt.ends()
    move.seconds(8)
    for each in move.tables:
        each.felt.deals()
    move.seconds(5)
    stacks = table.felt.stacks()
    assert sorted(stacks) == [1, 3, 4, 5, 6, 7, 9]
    assert sum(chips or 0 for chips in stacks.values()) == 7 * STACK


def test_an_add_on_comes_once_though_its_answer_is_lost_and_the_room_restarts(
    library: Library, tmp_path: Path
) -> None:
    move = Move(library, tmp_path / "room.sqlite")
    move.hall.act("offer", what="add-on", chips=ADD_ON)
    table = move.tables[0]
    table.loses_answers = 1
    move.hall.act("buy", player="p1", what="add-on")
    move.seconds(2)
    assert table.felt.stacks()[1] == STACK + ADD_ON
    move.restarts()
    move.seconds(10)
    assert move.hall.room.view().register.by_id["p1"].delivered == ("add-on",)
    assert sum(chips or 0 for chips in table.felt.stacks().values()) == 7 * STACK + ADD_ON


def test_who_was_moved_from_a_table_that_was_away_has_what_he_lost_there(
    library: Library, tmp_path: Path
) -> None:
    """It was not told that he has gone, the room restarts, and he plays on there: all in against
    aces."""
    move = Move(library, tmp_path / "room.sqlite")
    table, mover = move.tables[0], move.mover.mover
    table.lost()
    move.seconds(1)
    move.moves()
    move.hall.act("enter", name="comes", table="T1", seat=mover.at.seat)
    move.seconds(2)
    table.felt.begins((1, mover.at.seat))
    move.restarts()
    assert not move.hall.room.view().register.by_id["p13"].played
    table.felt.ends()
    move.seconds(8)
    move.hall.act("arrive", player=mover.player)
    move.seconds(5)
    for each in move.tables:
        each.felt.deals()
    move.seconds(5)
    stacks = [each.felt.stacks() for each in move.tables]
    assert sum(chips or 0 for each in stacks for chips in each.values()) == 13 * STACK
    assert move.tables[1].felt.stacks()[move.mover.to.seat] == 0
