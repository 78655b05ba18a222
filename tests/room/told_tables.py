"""Tables without an engine: what they tell a room, and what they are told by it."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from msgspec.structs import replace

from controller.contract.events import Blinds, Event
from controller.contract.messages import (
    TABLE_EVENT,
    TABLE_HAND,
    Hand,
    SeatsCommand,
    TableEvent,
)
from controller.contract.sight import SeatChips
from controller.contract.view import SeatView, TableView
from controller.room.seating import TableSeating
from tests.room.evening import SITE, Hall

SECOND = 1_000
BLINDS = Blinds(25, 50)
TEN = [{"table": "T1", "seats": 10}, {"table": "T2", "seats": 10}]


class Tables:
    """What T1 and T2 tell a room, and what they are told."""

    def __init__(self, hall: Hall) -> None:
        self.hall = hall
        self.names: dict[str, dict[int, str | None]] = {}
        self._over: dict[str, tuple[int, Mapping[int, int | None]]] = {}
        self._had: set[str] = set()
        self._seq = 0

    def shows(
        self,
        table: str,
        number: int,
        stacks: Mapping[int, int | None],
        *,
        phase: str = "flop",
        button: int = 1,
        session: str = "t",
        book: str = "uk-tda",
        **more: object,
    ) -> None:
        names = self.names.setdefault(table, {})
        seats = tuple(
            SeatView(seat, stack=chips, player=names.get(seat))
            for seat, chips in sorted(stacks.items())
        )
        view = TableView(
            table=table,
            rulebook=book,
            hand=number,
            phase=phase,  # type: ignore[arg-type]
            button=button,
            seats=seats,
        )
        view = replace(view, **more)
        self._over.pop(table, None)
        if phase == "complete" and stacks:
            self._over[table] = number, stacks
            view = replace(
                view, stacks=tuple(SeatChips(s.seat, s.stack, s.player) for s in view.seats)
            )
        self.hall.hears(TABLE_HAND.message(SITE, table, payload=Hand(session, 4, 5, view)))

    def tells(self, table: str, event: Event) -> None:
        self._seq += 1
        said = TableEvent("t", self._seq, 0, event)
        self.hall.hears(TABLE_EVENT.message(SITE, table, payload=said))

    def told(self, table: str = "T1") -> SeatsCommand | None:
        """What it was told and has not answered yet."""
        self.hall.passes(SECOND)
        new = [
            command
            for name, command in self.hall.commands("seats")
            if name == table and command.id not in self._had
        ]
        if not new:
            return None
        assert len(new) == 1
        (command,) = new
        assert isinstance(command, SeatsCommand)
        self._had.add(command.id)
        names = {each.seat: each.player for each in command.seats if each.player}
        self.names[table] = {**self.names.get(table, {}), **names}
        return command

    def takes(self, table: str = "T1") -> dict[int, tuple[str, str | None, int | None]]:
        """What it was told, which it takes; by seat: status, player, stack."""
        command = self.told(table)
        if command is None:
            return {}
        self.hall.answers(command)
        if table in self._over:  # it shows at once what its seats have now
            number, stacks = self._over[table]
            told = {each.seat: each.stack for each in command.seats if each.stack is not None}
            self.shows(table, number, {**stacks, **told}, phase="complete")
        return {each.seat: (each.status, each.player, each.stack) for each in command.seats}

    def seating(self, table: str = "T1") -> TableSeating:
        found = {each.table: each for each in self.hall.room.view().seating}
        return found[table]


@pytest.fixture
def hall() -> Hall:
    """Ann, Bob and Cy at T1, Dee at T2, with 10,000 each; nothing is played yet."""
    hall = Hall()
    hall.room.link(True)
    hall.act("tables", tables=TEN)
    at = {"Ann": ("T1", 1), "Bob": ("T1", 2), "Cy": ("T1", 6), "Dee": ("T2", 1)}
    for name, (table, seat) in at.items():
        hall.act("enter", name=name, table=table, seat=seat)
    hall.act("tournament", starting_stack=10_000)
    return hall


@pytest.fixture
def tables(hall: Hall) -> Tables:
    tables = Tables(hall)
    for table in ("T1", "T2"):
        hall.table(table)
        tables.shows(table, 0, {}, phase="complete")
    return tables


PLAYING = {1: 9_000, 2: 11_000, 6: 10_000}


@pytest.fixture
def playing(hall: Hall, tables: Tables) -> Tables:
    """The tables have taken it all, and play their fifth hand."""
    hall.act("start")
    tables.takes("T1")
    tables.takes("T2")
    tables.shows("T1", 5, PLAYING)
    tables.shows("T2", 5, {1: 10_000, 2: 10_000, 3: 10_000})
    assert tables.told("T1") is tables.told("T2") is None
    return tables


def seat(status: str, player: str | None = None, stack: int | None = None) -> object:
    return status, player, stack
