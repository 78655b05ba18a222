"""How a table is set up as watching begins: by its settings, or as one that has forgotten."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import cast

from controller.contract.cards import CARDS
from controller.contract.events import Finding, Start
from controller.contract.observations import Award, Riffle, Table, TableBlinds, TableSeat
from controller.library.books import Library
from controller.storage.journal import Journal
from controller.table.clock import TableClock
from controller.table.decks import Decks
from controller.table.set_up import SetUp
from controller.table.telling import Telling
from firmware_bridge.bridge import Bridge
from tests.journal.test_recorder import Overheard, a_table

RECORD = Table(
    v=1,
    table="T1",
    rulebook="roberts",
    seats=tuple(TableSeat(seat=seat, stack=500) for seat in (1, 2, 3)),
    button=1,
    blinds=TableBlinds(small=5, big=10),
    objects={"puck": "button"},
)
A_DEAL = {f"seat/{seat}": frozenset(CARDS[2 * seat : 2 * seat + 2]) for seat in (1, 2, 3)}
PUCK = {"seat/3": frozenset({"puck"})}


class Antennas:
    """What lies on them."""

    def __init__(self) -> None:
        self.lie: Mapping[str, frozenset[str]] = {}

    def present(self) -> Mapping[str, frozenset[str]]:
        return self.lie


class Process:
    """One life of a table's process."""

    def __init__(self, library: Library, folder: Path, *, has_forgotten: bool = False) -> None:
        self.service, _, self.journal, self.engine = a_table(library, folder)
        self.antennas = Antennas()
        self.set_up = SetUp(
            RECORD,
            self.engine,
            Decks({}),
            cast(Bridge, self.antennas),
            Telling(self.service, TableClock(1.0)),
            lambda _line: None,
            has_forgotten=has_forgotten,
        )

    def close(self) -> None:
        self.journal.close()


def began(engine: Overheard) -> tuple[int, set[int | None]]:
    """Where the button is, and what anybody has."""
    [start] = [event for event in engine.said if isinstance(event, Start)]
    return start.button, {seat.stack for seat in start.seats}


def lines(journal: Journal) -> int:
    return journal.head.n


def test_a_first_start_is_by_the_settings(library: Library, tmp_path: Path) -> None:
    with closing(Process(library, tmp_path)) as table:
        table.set_up.begin()
        table.service.observe(Riffle(t=1.0))
        assert began(table.engine) == (1, {500})


def test_what_is_forgotten_is_not_taken_from_the_settings(library: Library, tmp_path: Path) -> None:
    with closing(Process(library, tmp_path, has_forgotten=True)) as table:
        table.antennas.lie = PUCK
        table.set_up.begin()
        assert table.engine.sight().is_watched
        table.service.observe(Riffle(t=1.0))
        assert began(table.engine) == (3, {None}), "the puck lies there"


def test_a_hand_under_way_is_set_up_once(library: Library, tmp_path: Path) -> None:
    """Neither a stall nor a restart tells the settings in the middle of it."""
    for _ in range(2):
        with closing(Process(library, tmp_path, has_forgotten=True)) as table:
            table.antennas.lie = A_DEAL | {"seat/3": A_DEAL["seat/3"] | {"puck"}}
            table.set_up.begin()
            before = lines(table.journal)
            table.set_up.begin()
            assert lines(table.journal) == before
            assert not table.engine.sight().is_watched
    with closing(Process(library, tmp_path, has_forgotten=True)) as table:
        table.antennas.lie = A_DEAL | {"seat/3": A_DEAL["seat/3"] | {"puck"}}
        table.set_up.begin()
        table.service.observe(Award(kind="dealer", t=5.0))
        table.service.observe(Riffle(t=6.0))
        assert began(table.engine) == (1, {None}), "it moves on from where the puck lies"
        assert not [event for event in table.engine.said if isinstance(event, Finding)]
