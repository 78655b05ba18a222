"""What tables are told: their level, and that a break has begun or is over."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.contract.messages import LevelCommand, PauseCommand
from controller.room.store import RoomStore
from tests.room.evening import MINUTE, ONE, THREE, TWO, Hall, Machine


@pytest.fixture
def hall() -> Hall:
    hall = Hall()
    hall.room.link(True)
    hall.table("T1")
    hall.hand("T1", blinds=ONE)
    return hall


def told(hall: Hall) -> list[tuple[str, int]]:
    """The big blinds that tables were told."""
    return [
        (table, each.big)
        for table, each in hall.commands("level")
        if isinstance(each, LevelCommand)
    ]


def paused(hall: Hall) -> list[tuple[str, bool]]:
    return [
        (table, each.paused)
        for table, each in hall.commands("pause")
        if isinstance(each, PauseCommand)
    ]


def accept(hall: Hall, name: str = "level") -> None:
    hall.answers(hall.commands(name)[-1][1])


def word(hall: Hall, table: str = "T1") -> str:
    return next(each.level for each in hall.room.view().levels if each.table == table)


def test_nothing_is_told_before_the_start_and_then_each_level_once(hall: Hall) -> None:
    hall.passes(3_000)
    assert told(hall) == []
    assert word(hall) == "unknown"
    hall.act("start")
    hall.passes(1_000)
    accept(hall)
    hall.passes(10_000)
    assert told(hall) == [("T1", 50)]
    hall.act("next")
    hall.passes(1_000)
    accept(hall)
    hall.passes(10_000)
    assert told(hall) == [("T1", 50), ("T1", 100)]
    _, command = hall.commands("level")[-1]
    assert (command.session, command.role, command.hand) == ("t", "director", None)


def test_a_table_plays_the_old_level_until_its_next_hand(hall: Hall) -> None:
    hall.act("start")
    hall.act("next")
    hall.passes(1_000)
    accept(hall)
    assert word(hall) == "old"
    assert hall.room.view().old_level == ("T1",)
    hall.hand("T1", phase="complete", blinds=ONE)
    assert word(hall) == "current"
    hall.hand("T1", 2, phase="deal", blinds=TWO)
    assert word(hall) == "current"
    assert hall.room.view().old_level == ()
    hall.table("T1", "lost")
    assert word(hall) == "unknown"


def test_what_was_not_answered_is_told_again_until_it_is(hall: Hall) -> None:
    hall.act("start")
    hall.passes(1_000)
    assert len(told(hall)) == 1
    hall.passes(20_000)
    assert len(told(hall)) == 3
    level = hall.room.view().levels[0]
    assert (level.trouble, level.unanswered) == ("", True)
    hall.hand("T1", phase="complete")
    assert word(hall) == "waiting"
    accept(hall)
    before = len(told(hall))
    hall.passes(20_000)
    assert len(told(hall)) == before
    assert not hall.room.view().levels[0].unanswered
    assert word(hall) == "current"


def test_what_was_refused_is_told_again_later_and_with_its_reason(hall: Hall) -> None:
    hall.act("start")
    hall.passes(1_000)
    hall.answers(hall.commands("level")[-1][1], ok=False, reason="role")
    level = hall.room.view().levels[0]
    assert (level.trouble, level.unanswered) == ("role", False)
    hall.passes(10_000)
    assert len(told(hall)) == 1
    hall.passes(10_000)
    assert len(told(hall)) == 2


def test_a_table_that_comes_later_or_begins_anew_is_told_too(hall: Hall) -> None:
    hall.act("start")
    hall.passes(1_000)
    accept(hall)
    hall.table("T2")
    hall.hand("T2")
    hall.passes(1_000)
    accept(hall)
    assert told(hall) == [("T1", 50), ("T2", 50)]
    hall.hand("T1", session="t-new", phase="complete")
    assert word(hall) == "waiting"
    hall.passes(1_000)
    assert told(hall)[-1] == ("T1", 50)
    assert hall.commands("level")[-1][1].session == "t-new"


def test_a_table_that_plays_another_level_all_the_same_is_told_once_a_hand(hall: Hall) -> None:
    hall.act("start")
    hall.act("next")
    hall.passes(1_000)
    accept(hall)
    hall.passes(10_000)
    assert told(hall) == [("T1", 100)]
    for hand in (2, 3):
        hall.hand("T1", hand, blinds=ONE)
        hall.passes(1_000)
        accept(hall)
        hall.passes(10_000)
        assert told(hall) == [("T1", 100)] * hand
    hall.hand("T1", 4, blinds=TWO)
    hall.passes(10_000)
    assert told(hall) == [("T1", 100)] * 3


def test_an_edited_level_is_told_again(hall: Hall) -> None:
    hall.act("start")
    hall.passes(1_000)
    accept(hall)
    entry = {"duration_ms": 20 * MINUTE, "blinds": {"small": 30, "big": 60, "ante": 60}}
    hall.act("change", index=0, entry=entry)
    hall.passes(1_000)
    assert told(hall)[-1] == ("T1", 60)


def test_on_a_break_each_table_finishes_its_hand_and_is_closed_until_it_is_over(
    hall: Hall,
) -> None:
    hall.act("start")
    hall.passes(1_000)
    accept(hall)
    hall.act("go", index=2)
    hall.passes(5_000)
    assert paused(hall) == []
    assert hall.room.view().playing == ("T1",)
    hall.hand("T1", phase="complete")
    hall.passes(1_000)
    assert paused(hall) == [("T1", True)]
    hall.passes(8_000)
    assert paused(hall) == [("T1", True)] * 2
    hall.hand("T1", phase="complete", is_open=False)
    hall.passes(10_000)
    assert paused(hall) == [("T1", True)] * 2
    hall.act("next")
    hall.passes(1_000)
    assert paused(hall)[2:] == [("T1", False)]
    assert told(hall)[-1] == ("T1", THREE.big)
    hall.hand("T1", phase="complete", is_open=True)
    hall.passes(10_000)
    hall.hand("T1", phase="complete", is_open=False)  # by somebody else, and not for a break
    hall.passes(10_000)
    assert paused(hall)[2:] == [("T1", False)]


def test_a_break_that_ends_while_a_table_is_being_closed_opens_it_all_the_same(
    hall: Hall,
) -> None:
    hall.act("start")
    hall.hand("T1", phase="complete")
    hall.act("break", duration_ms=MINUTE)
    hall.passes(1_000)
    hall.act("next")
    hall.passes(1_000)
    assert paused(hall) == [("T1", True)]
    hall.hand("T1", phase="complete", is_open=False)
    hall.passes(1_000)
    assert paused(hall) == [("T1", True), ("T1", False)]


def test_a_table_that_was_closed_by_somebody_else_stays_closed(hall: Hall) -> None:
    hall.hand("T1", phase="complete", is_open=False)
    hall.act("start")
    hall.act("break", duration_ms=MINUTE)
    hall.passes(5_000)
    hall.act("next")
    hall.passes(5_000)
    assert paused(hall) == []


def test_a_room_that_was_away_opens_what_it_has_closed(tmp_path: Path) -> None:
    machine, path = Machine(), tmp_path / "room.sqlite"
    first = Hall(machine, store=RoomStore.open(path))
    first.room.link(True)
    first.table("T1")
    first.hand("T1", phase="complete")
    first.act("start")
    first.act("break", duration_ms=MINUTE)
    first.passes(2_000)
    assert paused(first) == [("T1", True)]
    first.room.close()
    machine.passes(4_000)
    again = Hall(machine, store=RoomStore.open(path))
    again.room.link(True)
    again.passes(MINUTE)
    again.table("T1")
    again.hand("T1", phase="complete", is_open=False)
    again.passes(2_000)
    assert paused(again) == [("T1", False)]
    again.room.close()


def test_a_break_that_holds_begins_when_the_last_hand_is_over(hall: Hall) -> None:
    hall.act("rules", hold_for_hands=True)
    hall.act("start")
    hall.table("T2")
    hall.hand("T2")
    hall.act("break", duration_ms=10 * MINUTE)
    hall.passes(90_000)
    assert (hall.state(), hall.left()) == ("holding", 600)
    hall.hand("T1", phase="complete")
    hall.passes(5_000)
    assert hall.state() == "holding"
    hall.room.link(False)
    hall.passes(5_000)
    hall.room.link(True)
    hall.passes(1_000)
    assert hall.state() == "holding"
    hall.passes(5_000)
    assert hall.state() == "holding"
    hall.table("T2", "lost")
    hall.passes(1_000)
    assert (hall.state(), hall.left()) == ("break", 600)


def test_a_room_that_has_just_come_back_does_not_take_silence_for_the_end_of_all_hands(
    tmp_path: Path,
) -> None:
    machine, path = Machine(), tmp_path / "room.sqlite"
    first = Hall(machine, store=RoomStore.open(path))
    first.act("rules", hold_for_hands=True)
    first.act("start")
    first.act("break", duration_ms=MINUTE)
    first.room.close()
    again = Hall(machine, store=RoomStore.open(path))
    again.passes(10_000)
    again.room.link(True)
    again.passes(1_000)
    assert again.state() == "holding"
    again.table("T1")
    again.hand("T1")
    again.passes(10_000)
    assert again.state() == "holding"
    again.hand("T1", phase="complete")
    again.passes(1_000)
    assert again.state() == "break"
    again.room.close()


def test_a_room_that_keeps_to_itself_tells_nothing() -> None:
    hall = Hall(tell_tables=False)
    hall.room.link(True)
    hall.table("T1")
    hall.hand("T1", phase="complete")
    hall.act("start")
    hall.act("break", duration_ms=MINUTE)
    hall.passes(5_000)
    assert (told(hall), paused(hall)) == ([], [])
