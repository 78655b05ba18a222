"""Several events in one room: each with its clock, its players and its tables."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.contract.messages import (
    EVENT_CLOCK,
    EVENT_TOURNAMENT,
    ROOM_TOURNAMENT,
    RoomClock,
)
from controller.room.acts import ActError
from controller.room.store import RoomStore
from controller.storage.database import DatabaseError
from tests.room.evening import EVENING, MINUTE, ONE, SITE, TWO, Hall, Machine
from tests.room.events import act, clocks_of, create, kept, kill, lists, told_of


@pytest.fixture
def hall() -> Hall:
    """Tables 1 and 2 are heard."""
    hall = Hall()
    hall.room.start()
    hall.room.link(True)
    for table in ("1", "2"):
        hall.table(table)
        hall.hand(table, phase="complete", blinds=None)
    hall.passes(3_000)
    return hall


def levels(hall: Hall) -> list[tuple[str, object, object]]:
    """What tables were told: the table and its blinds."""
    return [
        (table, said.small, said.big)  # type: ignore[attr-defined]
        for table, said in hall.commands("level")
    ]


def test_a_room_with_one_event_says_what_it_always_did(hall: Hall) -> None:
    hall.act("start")
    hall.passes(2_000)
    assert not [each.topic for each in hall.sent if "events/" in each.topic.partition("/room/")[2]]
    assert {table for table, _, _ in levels(hall)} == {"1", "2"}
    assert [each.id for each in hall.room.view().events] == [""]


def test_two_events_have_two_clocks(hall: Hall) -> None:
    turbo = create(hall)
    act(turbo, "start")
    hall.passes(5 * MINUTE)
    assert (turbo.view().state, turbo.view().left_ms) == ("running", 15 * MINUTE)
    assert (hall.state(), hall.left()) == ("ready", 20 * 60)
    hall.act("start")
    hall.passes(5 * MINUTE)
    act(turbo, "pause")
    hall.passes(MINUTE)
    assert (turbo.view().state, turbo.view().left_ms) == ("paused", 10 * MINUTE)
    assert (hall.state(), hall.left()) == ("running", 14 * 60)


def test_each_event_is_published_under_its_own_name(hall: Hall) -> None:
    turbo = create(hall)
    lists(turbo, "2")
    act(turbo, "start")
    hall.passes(1_000)
    clock = clocks_of(hall, "turbo")[-1]
    assert clock is not None
    assert clock.deadline_ms == hall.clocks.now_ms() - 1_000 + 20 * MINUTE
    told = told_of(hall, "turbo")
    assert told is not None
    assert (told.name, told.tables) == ("Turbo", ("2",))
    first = [each for each in hall.sent if each.topic == ROOM_TOURNAMENT.name(SITE)][-1]
    assert ROOM_TOURNAMENT.decode(first.payload).value.tables == ()
    assert hall.clocks_said()[-1].deadline_ms is None  # the first one's stands
    kinds = {each.topic: each.retain for each in hall.sent if "/room/events/" in each.topic}
    assert list(kinds.values()) == [True, True]


def test_a_level_reaches_the_tables_of_its_event_alone(hall: Hall) -> None:
    turbo = create(hall)
    lists(turbo, "2")
    act(turbo, "start")
    hall.passes(2_000)
    assert {table for table, _, _ in levels(hall)} == {"2"}
    hall.sent.clear()
    hall.act("start")
    act(turbo, "next")
    hall.passes(10_000)
    assert ("1", ONE.small, ONE.big) in levels(hall)
    assert ("2", TWO.small, TWO.big) in levels(hall)
    assert ("1", TWO.small, TWO.big) not in levels(hall)
    assert ("2", ONE.small, ONE.big) not in levels(hall)


def test_a_break_closes_the_tables_of_its_event_alone(hall: Hall) -> None:
    turbo = create(hall)
    lists(turbo, "2")
    hall.act("start")
    act(turbo, "start")
    act(turbo, "break", duration_ms=10 * MINUTE)
    hall.passes(2_000)
    assert {table for table, _ in hall.commands("pause")} == {"2"}


def test_a_table_that_goes_to_another_event_on_a_break_is_opened_there(hall: Hall) -> None:
    """The event that closed it can't open it any more."""
    turbo = create(hall)
    hall.act("start")
    act(turbo, "start")
    hall.act("break", duration_ms=10 * MINUTE)
    hall.passes(2_000)
    assert hall.room.first.keeper.record.closed == ("1", "2")
    for table in ("1", "2"):
        hall.hand(table, phase="complete", blinds=ONE, is_open=False)
    hall.passes(8_000)
    hall.sent.clear()
    lists(turbo, "2")
    hall.passes(2_000)
    assert [each.keeper.record.closed for each in hall.room.events()] == [("1",), ("2",)]
    assert [(table, said.paused) for table, said in hall.commands("pause")] == [  # type: ignore[attr-defined]
        ("2", False)
    ]


def test_a_hand_at_another_events_table_holds_no_break(hall: Hall) -> None:
    turbo = create(hall)
    lists(turbo, "2")
    for event in hall.room.events():
        act(event, "rules", hold_for_hands=True)
    hall.act("start")
    hall.hand("2", phase="flop", blinds=ONE)
    hall.passes(40 * MINUTE)  # two levels, and the break
    assert hall.state() == "break"
    act(turbo, "start")
    hall.passes(40 * MINUTE)
    assert turbo.view().state == "holding"
    hall.hand("2", phase="complete", blinds=ONE)
    hall.passes(1_000)
    assert turbo.view().state == "break"


def test_a_dispute_pauses_the_clock_of_its_table(hall: Hall) -> None:
    turbo = create(hall)
    lists(turbo, "2")
    for event in hall.room.events():
        act(event, "rules", pause_on_dispute=True)
        act(event, "start")
    hall.alert("2", 7)
    assert (hall.state(), turbo.view().state) == ("running", "paused")


def test_walls_tell_of_their_own_tables(hall: Hall) -> None:
    turbo = create(hall)
    lists(turbo, "2")
    hall.alert("2", 7)
    hall.passes(1_000)
    (alert,) = turbo.view().tournament.alerts
    assert alert.tables == ("2",)
    assert hall.room.first.view().tournament.alerts == ()
    assert [each.table for each in hall.room.view().shift.alerts] == [
        "2"
    ]  # the floor's is the room's


def test_players_of_two_events_do_not_mix(hall: Hall) -> None:
    turbo = create(hall)
    lists(turbo, "2")
    hall.act("tables", tables=[{"table": "1", "seats": 9}])
    hall.act("enter", name="Bob")
    act(turbo, "enter", name="Cleo")
    act(turbo, "enter", name="Dan")
    act(turbo, "draw")
    hall.passes(1_000)
    assert [each.name for each in turbo.view().register.players] == ["Cleo", "Dan"]
    assert [each.name for each in hall.room.view().register.players] == ["Bob"]
    seats = [at.table for at in turbo.view().register.by_seat]
    assert seats == ["2", "2"]
    assert {table for table, _ in hall.commands("seats")} == {"2"}
    assert (turbo.view().tournament.entries, hall.room.view().tournament.entries) == (2, 1)


def test_a_table_that_comes_back_is_told_its_seats_again(hall: Hall) -> None:
    """It had other players meanwhile."""

    def told() -> list[tuple[int, str | None]]:
        orders = [said for table, said in hall.commands("seats") if table == "2"]
        for each in orders:
            hall.answers(each)
        return [(seat.seat, seat.player) for each in orders for seat in each.seats]  # type: ignore[attr-defined]

    turbo = create(hall)
    lists(turbo, "2")
    act(turbo, "enter", name="Cleo", table="2", seat=1)
    hall.passes(2_000)
    assert (1, "Cleo") in told()
    act(turbo, "stand", player="p1")
    lists(turbo)  # before the table is told
    hall.act("tables", tables=[{"table": "2", "seats": 9}])
    hall.passes(2_000)
    hall.act("tables", tables=[])
    lists(turbo, "2")
    act(turbo, "sit", player="p1", table="2", seat=1)
    hall.sent.clear()
    hall.passes(2_000)
    assert (1, "Cleo") in told()


def test_each_event_counts_the_players_at_its_own_tables(hall: Hall) -> None:
    turbo = create(hall)
    lists(turbo, "2")
    hall.hand("1", stacks=(100, 100, 100))
    hall.hand("2", stacks=(500, 500))
    assert (hall.room.first.view().players_seen, turbo.view().players_seen) == (3, 2)
    assert [each.id for each in hall.room.first.view().tables] == ["1"]
    assert [each.id for each in turbo.view().tables] == ["2"]
    assert [each.id for each in hall.room.view().tables] == ["1", "2"]


def test_a_table_of_another_event_is_refused_with_its_name(hall: Hall) -> None:
    turbo = create(hall)
    lists(turbo, "2")
    with pytest.raises(ActError, match="table 2 is one of Turbo"):
        hall.act("tables", tables=[{"table": "2", "seats": 9}])
    hall.act("tables", tables=[{"table": "1", "seats": 9}])
    hall.act("tournament", name="Main")
    with pytest.raises(ActError, match="table 1 is one of Main"):
        lists(turbo, "1", "2")
    lists(turbo)
    hall.act("tables", tables=[{"table": "1", "seats": 9}, {"table": "2", "seats": 9}])


def test_the_list_of_events_has_their_clocks_and_tables(hall: Hall) -> None:
    turbo = create(hall)
    lists(turbo, "2")
    act(turbo, "start")
    hall.passes(MINUTE)
    first, other = hall.room.view().events
    assert (first.id, first.state, first.left_ms, first.tables) == (
        "",
        "ready",
        20 * MINUTE,
        ("1",),
    )
    assert (other.id, other.name) == ("turbo", "Turbo")
    assert (other.state, other.left_ms, other.tables) == ("running", 19 * MINUTE, ("2",))


def test_an_id_is_given_once_and_fits_into_an_address(hall: Hall) -> None:
    create(hall)
    with pytest.raises(ActError, match="there is an event turbo already"):
        create(hall)
    for wrong in ("", "..", "Turbo", "a/b", "-a", "a" * 33):
        with pytest.raises(ActError, match="small letters"):
            create(hall, wrong)
    assert [each.id for each in hall.room.events()] == ["", "turbo"]


# closing


def test_an_event_is_closed_once_its_clock_stands(hall: Hall) -> None:
    turbo = create(hall)
    lists(turbo, "2")
    act(turbo, "start")
    with pytest.raises(ActError, match="the clock of Turbo runs"):
        hall.room.close_event("turbo")
    act(turbo, "pause")
    assert hall.room.close_event("turbo") == ""  # nothing was kept
    assert [each.id for each in hall.room.events()] == [""]
    assert clocks_of(hall, "turbo")[-1] is None
    assert told_of(hall, "turbo") is None
    assert turbo.closed
    with pytest.raises(ActError, match="this event is closed"):
        act(turbo, "resume")
    hall.act("tables", tables=[{"table": "2", "seats": 9}])
    with pytest.raises(ActError, match="no event turbo"):
        hall.room.close_event("turbo")


def test_the_first_event_is_always_there(hall: Hall) -> None:
    with pytest.raises(ActError, match="can be closed"):
        hall.room.close_event("")


def test_tables_that_a_closed_event_had_shut_are_opened(hall: Hall) -> None:
    turbo = create(hall)
    lists(turbo, "2")
    hall.act("start")
    act(turbo, "start")
    act(turbo, "break", duration_ms=10 * MINUTE)
    hall.passes(2_000)
    hall.hand("2", phase="complete", blinds=ONE, is_open=False)
    act(turbo, "pause")
    hall.passes(8_000)
    hall.sent.clear()
    hall.room.close_event("turbo")
    hall.passes(2_000)
    assert [(table, said.paused) for table, said in hall.commands("pause")] == [  # type: ignore[attr-defined]
        ("2", False)
    ]


# the store


def test_a_restart_brings_all_events_back(tmp_path: Path) -> None:
    machine = Machine()
    before = kept(tmp_path / "room.sqlite", machine)
    turbo = create(before)
    lists(turbo, "2")
    act(turbo, "enter", name="Cleo")
    before.act("enter", name="Bob")
    act(turbo, "start")
    before.passes(4 * MINUTE)
    kill(before)

    machine.passes(2_000)
    after = kept(tmp_path / "room.sqlite", machine, "s2")
    turbo_after = after.room.event("turbo")
    assert turbo_after is not None
    after.passes(1_000)
    assert (turbo_after.name, turbo_after.view().state) == ("Turbo", "running")
    assert turbo_after.view().left_ms == 20 * MINUTE - 4 * MINUTE - 3_000
    assert [each.name for each in turbo_after.view().register.players] == ["Cleo"]
    assert [each.name for each in after.room.view().register.players] == ["Bob"]
    assert after.state() == "ready"
    assert (tmp_path / "room.sqlite.events" / "turbo.sqlite").exists()


@pytest.mark.parametrize("cut", [False, True])
def test_after_an_outage_each_event_asks_on_its_own(tmp_path: Path, cut: bool) -> None:
    """The first one's clock stands, and has nothing to ask."""
    machine = Machine()
    before = kept(tmp_path / "room.sqlite", machine)
    turbo = create(before)
    before.passes(30 * MINUTE)
    act(turbo, "start")
    before.passes(4 * MINUTE)
    kill(before)
    (machine.power_cut if cut else machine.passes)(3 * MINUTE)
    after = kept(tmp_path / "room.sqlite", machine, "s2")
    after.passes(1_000)
    turbo_after = after.room.event("turbo")
    assert turbo_after is not None
    assert (turbo_after.view().state, after.state()) == ("question", "ready")
    assert turbo_after.view().left_ms == 16 * MINUTE
    act(turbo_after, "answer", choice="catch-up")
    assert turbo_after.view().left_ms == 13 * MINUTE - 1_000
    assert after.state() == "ready"


def test_the_rooms_time_goes_on_from_the_clock_that_ran_last(tmp_path: Path) -> None:
    """The wall clock was set while the first event's clock stood, and the power was off after."""
    machine = Machine()
    before = kept(tmp_path / "room.sqlite", machine)
    turbo = create(before)
    act(turbo, "start")
    before.passes(MINUTE)
    machine.wall_jumps(60 * MINUTE)
    before.passes(3 * MINUTE)
    kill(before)
    machine.power_cut(3 * MINUTE)
    after = kept(tmp_path / "room.sqlite", machine, "s2")
    turbo_after = after.room.event("turbo")
    assert turbo_after is not None
    act(turbo_after, "answer", choice="catch-up")
    assert turbo_after.view().left_ms == 13 * MINUTE


def test_a_machine_that_slept_is_noticed_by_each_clock() -> None:
    """Each looks at the machine's clocks on its own: what one has seen the other has not."""
    hall = Hall()
    turbo = create(hall)
    hall.act("start")
    act(turbo, "start")
    hall.passes(1_000)
    hall.machine.sleeps(10 * MINUTE)
    hall.room.tick()
    assert (hall.state(), turbo.view().state) == ("question", "question")


def test_a_closed_event_is_set_aside_and_does_not_come_back(tmp_path: Path) -> None:
    machine = Machine()
    before = kept(tmp_path / "room.sqlite", machine)
    create(before)
    where = Path(before.room.close_event("turbo"))
    assert where == tmp_path / "room.sqlite.events" / "turbo.sqlite.closed-1"
    assert where.exists()
    create(before)  # the id is free
    assert Path(before.room.close_event("turbo")).name == "turbo.sqlite.closed-2"
    assert where.exists()
    kill(before)
    after = kept(tmp_path / "room.sqlite", machine, "s2")
    assert [each.id for each in after.room.events()] == [""]


def test_a_damaged_event_takes_no_other_with_it(tmp_path: Path) -> None:
    machine = Machine()
    before = kept(tmp_path / "room.sqlite", machine)
    create(before)
    act(create(before, "late", "Late"), "start")
    before.passes(1_000)
    kill(before)
    folder = tmp_path / "room.sqlite.events"
    (folder / "turbo.sqlite").write_bytes(b"rubbish" * 1_000)
    after = kept(tmp_path / "room.sqlite", machine, "s2")
    late = after.room.event("late")
    assert late is not None
    assert late.view().state == "running"
    (fault,) = after.room.view().faults
    assert fault.startswith("the store of event turbo was damaged; it is now")
    assert after.said == [fault]


def test_an_event_that_can_t_be_kept_is_not_made(tmp_path: Path) -> None:
    hall = kept(tmp_path / "room.sqlite", Machine())
    (tmp_path / "room.sqlite.events").write_text("no folder")
    with pytest.raises(ActError, match="can't be kept"):
        create(hall)
    assert [each.id for each in hall.room.events()] == [""]


def test_a_store_that_fails_leaves_nothing_half_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hall = kept(tmp_path / "room.sqlite", Machine())

    def full(*_: object) -> None:
        raise DatabaseError("the disk is full")

    monkeypatch.setattr(RoomStore, "save", full)
    with pytest.raises(ActError, match="can't be kept: the disk is full"):
        create(hall)
    assert [each.id for each in hall.room.events()] == [""]
    assert list((tmp_path / "room.sqlite.events").iterdir()) == []
    monkeypatch.undo()
    create(hall)
    assert (tmp_path / "room.sqlite.events" / "turbo.sqlite").exists()


def test_a_file_that_is_there_is_not_written_over(tmp_path: Path) -> None:
    hall = kept(tmp_path / "room.sqlite", Machine())
    there = tmp_path / "room.sqlite.events" / "turbo.sqlite"
    there.parent.mkdir()
    there.write_bytes(b"of a newer version")
    with pytest.raises(ActError, match="there is a file of an event turbo already"):
        create(hall)
    assert there.read_bytes() == b"of a newer version"


def test_what_the_broker_keeps_of_an_event_that_is_gone_is_deleted(hall: Hall) -> None:
    """Its tables would follow a clock that nobody keeps."""
    create(hall)
    for event in ("turbo", "gone"):
        clock = RoomClock(0, 1, False, ONE, None, False, MINUTE)
        hall.hears(EVENT_CLOCK.message(SITE, event, payload=clock))
    hall.sent.clear()
    hall.passes(1_000)
    deleted = [each.topic for each in hall.sent if each.retain and not each.payload]
    assert deleted == [EVENT_CLOCK.name(SITE, "gone"), EVENT_TOURNAMENT.name(SITE, "gone")]
    hall.hears(EVENT_CLOCK.deletion(SITE, "gone"))
    hall.sent.clear()
    hall.passes(1_000)
    assert [each.topic for each in hall.sent if not each.payload] == []


def test_a_room_that_stands_by_leaves_another_rooms_events_alone() -> None:
    hall = Hall(listen_ms=1_500)
    hall.room.link(True)
    hall.other_room("other", 5_000)
    hall.hears(
        EVENT_CLOCK.message(SITE, "turbo", payload=RoomClock(0, 1, False, ONE, None, False, 1))
    )
    hall.passes(2_000)
    assert hall.sent == []
    with pytest.raises(ActError, match="another room is in charge"):
        create(hall)


def test_while_another_room_leads_an_events_clock_is_still_its_own(tmp_path: Path) -> None:
    """The other one's clock is that of its first event."""
    machine = Machine()
    before = kept(tmp_path / "room.sqlite", machine)
    create(before)
    kill(before)
    after = Hall(machine, store=RoomStore.open(tmp_path / "room.sqlite"), listen_ms=1_500)
    after.room.link(True)
    after.other_room("other", 5_000)
    after.other_clock(RoomClock(3, 3, False, TWO, None, False, MINUTE, remaining_ms=MINUTE))
    turbo = after.room.event("turbo")
    assert turbo is not None
    assert (after.room.view().clock.level, turbo.view().clock.level) == (3, 1)
    assert turbo.view().stands_by


def test_settings_that_change_leave_an_event_its_structure(tmp_path: Path) -> None:
    """A clock that was not started takes new settings; that is the first event's alone."""
    machine = Machine()
    before = kept(tmp_path / "room.sqlite", machine)
    create(before)
    kill(before)
    after = kept(tmp_path / "room.sqlite", machine, "s2")
    turbo = after.room.event("turbo")
    assert turbo is not None
    assert turbo.view().schedule == EVENING
