"""What people ask of a tournament clock, each as it happens in a room."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from controller.broker.client import Incoming
from controller.contract.messages import ROOM_CLOCK, TABLE_ALERT, TABLE_STATE, State
from controller.room.acts import ActError
from controller.room.store import RoomStore
from controller.room.structure import Entry, Structure
from tests.room.evening import MINUTE, ONE, THREE, TWO, Hall, Machine

LONG = Structure("long", tuple(Entry(10 * MINUTE, level) for level in (ONE, TWO, THREE)))


def started(structure: Structure = LONG, **options: object) -> Hall:
    hall = Hall(structure=structure, **options)  # type: ignore[arg-type]
    hall.room.link(True)
    hall.act("start")
    return hall


def level(hall: Hall) -> int:
    return hall.room.view().clock.level


# --- a machine that slept ---


@pytest.mark.parametrize(
    ("choice", "now"), [("resume", (1, 9 * 60)), ("stay", (1, 9 * 60)), ("catch-up", (3, 4 * 60))]
)
def test_levels_that_were_slept_through_are_asked_about_and_not_played(
    choice: str, now: tuple[int, int]
) -> None:
    hall = started()
    hall.room.start()
    hall.passes(MINUTE)
    hall.machine.sleeps(25 * MINUTE)
    hall.room.tick()
    assert (hall.state(), level(hall), hall.left()) == ("question", 1, 9 * 60)
    assert {each.level for each in hall.clocks_said()} == {1}
    catch_up = hall.room.view().catch_up
    assert catch_up is not None
    assert (catch_up.level, catch_up.left_ms) == (3, 4 * MINUTE)
    hall.act("answer", choice=choice)
    assert (level(hall), hall.left()) == now


def test_a_machine_that_slept_before_the_start_starts_nothing(tmp_path: Path) -> None:
    machine = Machine()
    hall = Hall(machine, structure=LONG, store=RoomStore.open(tmp_path / "room.sqlite"))
    hall.act("tournament", entries=9)
    hall.passes(2_000)
    machine.sleeps(60 * MINUTE)
    hall.room.tick()
    assert (hall.state(), hall.left()) == ("ready", 10 * 60)
    hall.room.close()
    machine.power_cut(60 * MINUTE)
    again = Hall(machine, structure=LONG, store=RoomStore.open(tmp_path / "room.sqlite"))
    again.passes(2_000)
    assert (again.state(), again.left()) == ("ready", 10 * 60)
    again.act("start")
    assert again.left() == 10 * 60
    again.room.close()


# --- what an old session had said ---


def test_a_kept_clock_of_an_old_session_does_not_move_one_that_runs() -> None:
    hall = started()
    hall.room.start()
    hall.passes(MINUTE)
    old = replace(
        hall.room.view().clock, session="s0", revision=99, index=2, level=3, deadline_ms=5
    )
    for kept in (True, False):
        said = hall.clocks_said()
        hall.hears(ROOM_CLOCK.message("hall", payload=old), retain=kept)
        assert hall.clocks_said() == [*said, said[-1]]  # ours is kept by the broker again
        hall.passes(1_000)
        assert (hall.state(), level(hall)) == ("running", 1)
    assert hall.left() == 9 * 60 - 2
    hall.hears(ROOM_CLOCK.deletion("hall"))
    hall.passes(1_000)
    assert hall.left() == 9 * 60 - 3


# --- time, given and taken ---


def test_time_that_is_added_in_the_last_second_keeps_the_level() -> None:
    hall = started()
    hall.machine.passes(10 * MINUTE - 1)
    hall.act("time", by_ms=MINUTE)
    assert (level(hall), hall.room.view().left_ms) == (1, MINUTE + 1)
    hall.machine.passes(MINUTE + 1)
    hall.act("time", by_ms=MINUTE)  # too late: the level was over on its deadline
    assert (level(hall), hall.room.view().left_ms) == (2, 11 * MINUTE)


def test_a_level_cannot_be_made_shorter_than_it_was_played() -> None:
    hall = started()
    hall.passes(5 * MINUTE)
    shorter = {"duration_ms": 4 * MINUTE, "blinds": {"small": 25, "big": 50}}
    with pytest.raises(ActError, match="only 05:00 is left; go to the next level instead"):
        hall.act("change", index=0, entry=shorter)
    assert (level(hall), hall.left()) == (1, 5 * 60)
    hall.act("change", index=0, entry=shorter | {"duration_ms": 5 * MINUTE + 1_000})
    assert hall.left() == 1
    hall.passes(1_000)
    assert (level(hall), hall.left()) == (2, 10 * 60)


# --- breaks ---


def test_a_break_of_the_schedule_and_one_that_is_called_each_give_the_level_its_time() -> None:
    breaks = replace(LONG, entries=(LONG.entries[0], Entry(5 * MINUTE, None), *LONG.entries[1:]))
    hall = started(breaks)
    hall.passes(3 * MINUTE)
    hall.act("break", duration_ms=2 * MINUTE)
    assert (hall.state(), hall.left()) == ("break", 2 * 60)
    hall.passes(2 * MINUTE)
    assert (hall.state(), level(hall), hall.left()) == ("running", 1, 7 * 60)
    hall.passes(7 * MINUTE)
    assert (hall.state(), hall.left()) == ("break", 5 * 60)
    hall.passes(5 * MINUTE)
    assert (hall.state(), level(hall), hall.left()) == ("running", 2, 10 * 60)


def test_a_break_waits_for_hands_only_as_long_as_anyone_wants_it_to() -> None:
    hall = started()
    hall.table("T1")
    hall.hand("T1")
    hall.passes(3_000)
    hall.act("rules", hold_for_hands=True)
    hall.act("break", duration_ms=2 * MINUTE)
    hall.passes(10 * MINUTE)
    assert (hall.state(), hall.left()) == ("holding", 2 * 60)
    hall.hand("T1", phase="complete")
    hall.passes(1_000)
    assert (hall.state(), hall.left()) == ("break", 2 * 60)


# --- disputes ---


def test_a_clock_that_a_dispute_has_paused_is_resumed_by_a_person_and_by_nothing_else() -> None:
    hall = started(tell_tables=False)
    hall.table("T1")
    hall.passes(3_000)
    hall.act("rules", pause_on_dispute=True)
    hall.alert("T1", 1)
    assert (hall.state(), hall.room.view().clock.why) == ("paused", "Table T1")
    hall.closes("T1", 1)
    hall.passes(MINUTE)
    assert hall.state() == "paused"
    hall.act("resume", actor="Bob", reason="ruled")
    assert (hall.state(), hall.left()) == ("running", 10 * 60 - 3)
    assert hall.room.view().clock.why == ""
    last = hall.room.view().history[-1]
    assert (last.actor, last.name, last.words) == ("Bob", "resume", '{"reason":"ruled"}')


def test_a_second_dispute_does_not_change_why_it_is_paused() -> None:
    hall = started()
    hall.table("T1")
    hall.passes(3_000)
    hall.act("rules", pause_on_dispute=True)
    hall.act("pause", reason="fire drill")
    hall.alert("T1", 1)
    assert hall.room.view().clock.why == "fire drill"


# --- several rooms ---


def test_what_is_said_at_another_site_is_none_of_ours() -> None:
    hall = started()
    state = State("ready", "t", "0")
    theirs = replace(hall.room.view().clock, session="s9", revision=99, level=3)
    for message in (
        TABLE_STATE.message("annex", "T1", payload=state),
        ROOM_CLOCK.message("annex", payload=theirs),
        TABLE_ALERT.deletion("annex", "T1", "1"),
    ):
        hall.room.received(Incoming(message.topic, message.payload, message.retain))
    assert hall.room.ignored.unknown_topic == 3
    assert (hall.room.view().tables, level(hall)) == ((), 1)
    assert all(each.startswith("cutcard/1/hall/") for each in hall.room.filters)
    hall.room.start()
    hall.passes(2_000)
    assert {each.topic.split("/")[2] for each in hall.sent} == {"hall"}
