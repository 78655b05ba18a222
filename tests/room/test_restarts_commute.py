"""A room that is killed after every act ends where one that never was does."""

from __future__ import annotations

import random
from contextlib import suppress
from pathlib import Path

import pytest
from msgspec.structs import replace

from controller.room.acts import ACTS, ActError
from controller.room.store import RoomStore
from controller.room.tournament import TELLS
from tests.room.evening import MINUTE, Hall, Machine

ENTRY = {"duration_ms": 7 * MINUTE, "blinds": {"small": 300, "big": 600}}
SCHEDULE = {"name": "another", "entries": [ENTRY, ENTRY]}
ASKED: list[tuple[str, dict[str, object]]] = [
    ("start", {}),
    ("pause", {"reason": "tea"}),
    ("resume", {}),
    ("next", {}),
    ("back", {}),
    ("go", {"index": 1}),
    ("time", {"by_ms": 90_000}),
    ("time", {"by_ms": -90_000}),
    ("break", {"duration_ms": 3 * MINUTE}),
    ("change", {"index": 3, "entry": ENTRY}),
    ("insert", {"index": 3, "entry": ENTRY}),
    ("remove", {"index": 3}),
    ("rules", {"hold_for_hands": True}),
    ("rules", {"hold_for_hands": False}),
    ("end", {}),
    ("reopen", {}),
    ("tournament", {"entries": 9, "players_left": 4}),
    ("notice", {"text": "Tea", "minutes": 5}),
    ("unnotice", {"id": 1}),
    ("move", {"player": "Anna", "from": {"table": "T1", "seat": 2}, "to": {"table": "T2"}}),
    ("unmove", {"id": 1}),
    ("bust", {"player": "Bob", "table": "T1", "seat": 3}),
    ("bust", {}),
    ("bust", {}),
    ("bust", {"together": True}),
    ("unbust", {}),
    ("unbust", {}),
    ("answer", {"choice": "catch-up"}),
    ("reset", {}),
    ("structure", {"structure": SCHEDULE}),
]


def run(path: Path, seed: int, *, killed: bool) -> Hall:
    chance = random.Random(seed)
    machine = Machine()
    hall = Hall(machine, store=RoomStore.open(path / "room.sqlite"))
    hall.act("start")
    hall.act("tournament", players_left=20)
    for _ in range(40):
        name, fields = chance.choice(ASKED)
        away = chance.randrange(5_000)
        with suppress(ActError):
            hall.act(name, **fields)
        if killed:
            hall.room.first.keeper._store.close()  # type: ignore[union-attr]
            machine.passes(away)
            hall = Hall(machine, store=RoomStore.open(path / "room.sqlite"))
        else:
            machine.passes(away)
        machine.passes(chance.randrange(4 * MINUTE))
        hall.room.tick()
    return hall


def test_every_act_is_asked() -> None:
    assert {name for name, _ in ASKED} == {*ACTS, *TELLS}


@pytest.mark.parametrize("seed", range(12))
def test_restarts_change_nothing(tmp_path: Path, seed: int) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    one, other = run(tmp_path / "a", seed, killed=False), run(tmp_path / "b", seed, killed=True)
    assert other.room.first.keeper.record == one.room.first.keeper.record
    left, right = one.room.view(), other.room.view()
    assert replace(right.clock, session="") == replace(left.clock, session="")
    assert right.history == left.history
    one.room.close()
    other.room.close()
