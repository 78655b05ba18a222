"""Two rooms for one site, and a room that has forgotten its clock."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from controller.contract.events import Blinds
from controller.contract.messages import ROOM_TOURNAMENT, RoomClock
from controller.room.acts import ActError
from controller.room.lead import LISTEN_MS, SILENT_MS
from controller.room.store import RoomStore
from tests.room.evening import BEGAN, MINUTE, SITE, TWO, Hall, Machine


def listening(machine: Machine | None = None, **options: object) -> Hall:
    hall = Hall(machine, session="s2", listen_ms=LISTEN_MS, **options)  # type: ignore[arg-type]
    hall.room.start()
    hall.room.link(True)
    return hall


def retained(hall: Hall) -> RoomClock:
    """What a room before has said of a clock at 12:00 of level 2."""
    clock = hall.room.view().clock
    return replace(
        clock,
        index=1,
        level=2,
        blinds=TWO,
        state="running",
        deadline_ms=BEGAN + 12 * MINUTE,
        remaining_ms=None,
        session="s0",
        revision=40,
    )


def test_it_listens_before_it_says_anything() -> None:
    hall = listening()
    hall.passes(1_000)
    assert hall.sent == []
    hall.passes(1_000)
    assert hall.sent[0] == hall.run.state("ready")
    assert len(hall.clocks_said()) == 1


def test_the_next_one_with_the_same_store_leads_at_once_unless_another_has_led(
    tmp_path: Path,
) -> None:
    machine, path = Machine(), tmp_path / "room.sqlite"
    first = Hall(machine, store=RoomStore.open(path))
    first.room.start()
    first.passes(1_000)
    said = first.clocks_said()[-1]
    first.room.close()
    hall = listening(machine, store=RoomStore.open(path))
    hall.other_clock(said)
    assert hall.run.state("ready") in hall.sent
    assert hall.clocks_said()
    hall.room.close()
    taken_over = listening(machine, store=RoomStore.open(path))
    taken_over.other_clock(replace(said, session="s7"))
    assert taken_over.sent == []
    taken_over.room.close()


def test_without_a_broker_the_clock_can_be_used_all_the_same() -> None:
    hall = Hall(session="s2", listen_ms=LISTEN_MS)
    hall.passes(10_000)
    hall.act("start")
    hall.passes(10_000)
    assert hall.left() == 20 * 60 - 10
    assert hall.sent == []
    hall.room.link(True)
    hall.passes(2_000)
    assert hall.clocks_said()[-1].deadline_ms == BEGAN + 10_000 + 20 * MINUTE


def test_a_room_that_hears_another_stands_by_and_shows_that_ones_clock() -> None:
    hall = listening()
    hall.other_clock(replace(retained(hall), deadline_ms=5_000_000 + 8 * MINUTE))
    for second in range(1, 11):
        hall.other_room("s0", 5_000_000 + second * 1_000)
        hall.passes(1_000)
    view = hall.room.view()
    assert view.stands_by
    assert view.clock.level == 2
    assert abs(view.left_ms - (8 * MINUTE - 11_000)) <= 1_000
    assert hall.sent == []
    with pytest.raises(ActError, match="another room is in charge"):
        hall.act("start")


def test_when_the_other_falls_silent_it_takes_over_and_asks_until_that_one_is_back() -> None:
    hall = listening()
    hall.other_clock(replace(retained(hall), deadline_ms=5_000_000 + 8 * MINUTE))
    hall.other_room("s0", 5_000_000)
    hall.passes(SILENT_MS + 1_000)
    view = hall.room.view()
    assert not view.stands_by
    assert (view.state, view.left_ms) == ("question", 8 * MINUTE)
    assert hall.clocks_said()[-1].session == "s2"
    assert view.catch_up is not None
    assert view.catch_up.left_ms == 8 * MINUTE - SILENT_MS - 1_000
    hall.other_room("s0", 5_000_000 + 60_000)
    assert hall.room.view().stands_by


def test_a_cut_network_is_not_taken_for_the_other_rooms_silence() -> None:
    hall = listening()
    hall.other_room("s0", BEGAN)
    hall.passes(1_000)
    hall.room.link(False)
    hall.passes(60_000)
    hall.room.link(True)
    hall.passes(2_000)
    assert hall.room.view().stands_by


def test_a_stale_clock_that_comes_in_between_is_put_right_at_once() -> None:
    hall = Hall()
    hall.room.start()
    hall.room.link(True)
    hall.act("start")
    hall.act("tournament", entries=9)
    ours = hall.clocks_said()[-1]
    count = len(hall.clocks_said())
    hall.other_clock(replace(retained(hall), session="s9"))
    assert hall.clocks_said()[count:] == [ours]
    assert hall.sent[-1].topic == ROOM_TOURNAMENT.name(SITE)
    hall.other_clock(ours)
    hall.other_room("s9", BEGAN)
    hall.other_clock(replace(retained(hall), session="s9"))
    assert len(hall.clocks_said()) == count + 1
    assert hall.left() == 20 * 60


def test_two_that_lead_say_so() -> None:
    hall = Hall()
    hall.room.link(True)
    hall.other_room("s9", BEGAN)
    assert not hall.room.view().stands_by
    assert "another room is running a clock" in hall.room.view().faults[0]
    hall.passes(SILENT_MS + 1_000)
    assert hall.room.view().faults == ()


def test_a_room_without_a_store_goes_on_with_what_the_broker_has_kept() -> None:
    hall = listening()
    edited = Blinds(60, 120)
    hall.other_clock(replace(retained(hall), blinds=edited))
    hall.passes(2_000)
    view = hall.room.view()
    assert (view.state, view.clock.level, view.clock.blinds) == ("question", 2, edited)
    assert view.clock.revision > 40
    hall.act("answer", choice="catch-up")
    assert hall.left() == 12 * 60 - 2


def test_a_damaged_store_and_the_beat_beside_it_tell_where_the_clock_stopped(
    tmp_path: Path,
) -> None:
    machine, path = Machine(), tmp_path / "room.sqlite"
    first = Hall(machine, store=RoomStore.open(path))
    first.room.start()
    first.act("start")
    first.passes(5 * MINUTE)
    said = first.clocks_said()[-1]
    first.room.close()
    path.write_bytes(b"\xa5" * 10_000)
    machine.passes(3 * MINUTE)
    hall = listening(machine, store=RoomStore.open(path))
    hall.other_clock(said)
    hall.passes(2_000)
    assert (hall.state(), hall.left()) == ("question", 15 * 60)
    assert "was damaged; it is now" in hall.room.view().faults[0]
    assert "was damaged" in hall.said[0]
    hall.room.close()


def test_a_store_that_knows_more_is_not_overruled_and_one_that_knows_less_is(
    tmp_path: Path,
) -> None:
    machine, path = Machine(), tmp_path / "room.sqlite"
    first = Hall(machine, store=RoomStore.open(path))
    first.room.start()
    first.act("start")
    stale = first.clocks_said()[-1]
    first.act("next")
    newest = replace(first.clocks_said()[-1], revision=99, index=3, level=3)
    first.room.close()
    of_others = replace(newest, lineage="another club")
    for kept, level in ((stale, 2), (of_others, 2), (newest, 3)):
        hall = listening(machine, store=RoomStore.open(path))
        hall.other_clock(replace(kept, session="s1"))
        hall.passes(2_000)
        assert hall.room.view().clock.level == level
        hall.room.close()


def test_what_was_done_since_the_start_goes_before_what_the_broker_has_kept() -> None:
    hall = listening()
    hall.act("start")
    hall.other_clock(retained(hall))
    hall.passes(2_000)
    assert (hall.state(), hall.room.view().clock.level) == ("running", 1)


def test_with_start_the_clock_is_a_new_one() -> None:
    hall = listening(start=True)
    hall.other_clock(retained(hall))
    hall.passes(2_000)
    assert (hall.state(), hall.left()) == ("running", 20 * 60 - 2)
    assert SITE in hall.sent[0].topic
