"""A penalty in a room with tables: given in a hand, counted by hands, over in time."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.contract.events import (
    Blinds,
    Closed,
    Event,
    Finding,
    Phase,
    RulingText,
    Start,
    StartSeat,
)
from controller.contract.messages import TABLE_EVENT, Message, TableEvent
from controller.room.store import RoomStore
from tests.room.evening import SITE, Hall
from tests.room.test_entered import figures, four, hall, places, status
from tests.room.test_finishing_order import refused

__all__ = ["hall"]

SEATS = (StartSeat(1), StartSeat(2))
BLINDS = Blinds(25, 50)


class Felt:
    """What T1 tells of its hands."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        self._seq = 0
        self._said: list[Message] = []

    def tells(self, event: Event) -> None:
        self._seq += 1
        said = TABLE_EVENT.message(SITE, "T1", payload=TableEvent("s", self._seq, 0, event))
        self._said.append(said)
        self._hall.hears(said)

    def repeats(self, number: int) -> None:
        """That message comes once more."""
        self._hall.hears(self._said[number])

    def hand(self, number: int, *, redeal_of: int | None = None, misdeal: bool = False) -> None:
        self.tells(Start(1.0, number, SEATS, 1, BLINDS, redeal_of=redeal_of))
        self.tells(Phase(2.0, number, "misdeal" if misdeal else "complete"))


@pytest.fixture
def felt(hall: Hall) -> Felt:
    hall.table("T1")
    hall.hand("T1", 20)
    return Felt(hall)


def test_it_is_counted_by_the_hands_of_the_table(hall: Hall, felt: Felt) -> None:
    """Ann and Bob are at T1: a round is two hands. UK-33C: a misdeal and its redeal are one."""
    hall.act("penalise", player="p1", unit="rounds", amount=1, reason="abuse")
    assert status(hall, "p1") == "penalty"
    felt.hand(20)
    felt.hand(21, misdeal=True)
    felt.hand(22, redeal_of=21)
    assert status(hall, "p1") == "penalty"
    felt.hand(23)
    assert status(hall, "p1") == "seated"


def test_a_penalty_goes_with_the_player(hall: Hall) -> None:
    """Whether he stands up and sits down again, or was out for a moment."""
    hall.act("penalise", player="p1", unit="hands", amount=3)
    hall.act("stand", player="p1")
    hall.act("sit", player="p1", table="T2", seat=7)
    assert status(hall, "p1") == "penalty"
    hall.act("bust", entrant="p1")
    hall.act("unbust")
    assert status(hall, "p1") == "penalty"


def test_a_disqualification_is_not_simply_pardoned(hall: Hall) -> None:
    hall.act("disqualify", player="p2")
    assert refused(hall, "pardon", id=1) == "Bob is out: bring the player back in"


def test_minutes_are_over_by_themselves(hall: Hall) -> None:
    hall.act("penalise", player="p1", unit="minutes", amount=10)
    hall.passes(9 * 60_000)
    assert status(hall, "p1") == "penalty"
    hall.passes(60_000)
    assert status(hall, "p1") == "seated"


def test_who_is_disqualified_is_out(hall: Hall) -> None:
    """TDA24-71D, UK-65D, TDA09-40d, NL10-HR-22."""
    hall.act("disqualify", player="p2", reason="chip dumping")
    assert status(hall, "p2") == "out"
    assert places(hall) == [(4, "Bob", "T1", 2)]
    assert figures(hall)[1] == 3
    assert refused(hall, "disqualify", player="p2") == "Bob is out already"
    (line,) = hall.room.view().conduct.given
    assert (line.given, line.reason, line.by) == ("disqualified", "chip dumping", "Ann")


def finds(felt: Felt, number: int, *seats: int) -> None:
    ruling = RulingText("uk-tda", "binding", (), ())
    felt.tells(Finding(1.0, 20, number, "out-of-turn", 2, "seen", seats, (), ruling))


def test_what_the_table_saw_is_kept_for_a_while(tmp_path: Path) -> None:
    """And over a restart of the room; a penalty that runs is never forgotten."""
    day = 24 * 3_600_000
    store = RoomStore.open(tmp_path / "room.sqlite")
    hall = Hall(store=store, keep_players_ms=2 * day)
    four(hall)
    hall.table("T1")
    hall.hand("T1", 20)
    finds(Felt(hall), 1, 2)
    hall.act("warn", player="p1")
    hall.act("penalise", player="p1", unit="hands", amount=2)
    hall.passes(2_000)
    hall.machine.passes(day)
    hall.room.tick()
    assert [one.name for one in hall.room.view().seen] == ["Bob"]
    hall.room.close()

    hall.machine.passes(day + 1)
    again = Hall(
        hall.machine, store=RoomStore.open(tmp_path / "room.sqlite"), keep_players_ms=2 * day
    )
    assert [one.name for one in again.room.view().seen] == ["Bob"]
    again.room.tick()
    assert again.room.view().seen == ()
    assert [one.given for one in again.room.view().conduct.given] == ["hands"]
    again.room.close()


def test_what_the_table_saw_is_told_once(hall: Hall, felt: Felt) -> None:
    """The same message may come twice, at once or after others."""
    finds(felt, 1, 1, 2)
    felt.repeats(0)
    assert [one.name for one in hall.room.view().seen] == ["Ann", "Bob"]
    felt.tells(Closed(2.0, 20, 1, "dismissed"))
    assert hall.room.view().seen == ()
    felt.repeats(0)
    assert hall.room.view().seen == ()
