"""The room as a table hears it."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from msgspec import Struct
from msgspec.structs import replace

from controller.broker.client import Incoming
from controller.contract.events import Blinds
from controller.contract.messages import (
    EVENT_CLOCK,
    EVENT_TOURNAMENT,
    ROOM_CLOCK,
    ROOM_STATE,
    ROOM_TIME,
    ROOM_TOURNAMENT,
    Move,
    Place,
    Racing,
    RoomClock,
    RoomTime,
    RoomTournament,
    State,
    Topic,
)
from controller.contract.view import LevelView, MoveView, RaceView
from controller.library.books import Library
from controller.rules.tournament_rules import TournamentRules
from controller.table.room_heard import RoomHeard

BLINDS = Blinds(100, 200)
BOOKS = ("homepokertourney", "uk-tda", "roberts", "nl-2010", "tda-2009", "tda-2024")
RUNNING = RoomClock(2, 3, False, BLINDS, None, False, 1_200_000, deadline_ms=60_000)


def message(topic: Topic[Any], payload: Struct) -> Incoming:
    return Incoming(topic.name("main"), msgspec.json.encode(payload), retain=False)


def heard(*told: tuple[Struct, float], speed: float = 1.0) -> RoomHeard:
    """What a room is after these payloads, each at a time of the table's."""
    room = RoomHeard("main", speed)
    topics: dict[type[Struct], Topic[Any]] = {
        RoomTime: ROOM_TIME,
        RoomClock: ROOM_CLOCK,
        State: ROOM_STATE,
        RoomTournament: ROOM_TOURNAMENT,
    }
    for payload, t in told:
        assert room.received(message(topics[type(payload)], payload), t)
    return room


def test_a_level_ends_in_the_tables_time() -> None:
    room = heard((RUNNING, 6.0), (RoomTime("s", 50_000), 7.0))
    assert room.level() == LevelView(3, BLINDS, ends=17.0)
    assert heard((RUNNING, 6.0)).level() is None
    assert heard((RoomTime("s", 50_000), 7.0)).level() is None


def test_a_clock_that_stands_has_what_is_left() -> None:
    standing = msgspec.structs.replace(RUNNING, deadline_ms=None, remaining_ms=5_500)
    assert heard((standing, 6.0), (RoomTime("s", 0), 7.0)).level() == LevelView(3, BLINDS, left=5.5)


def test_a_table_whose_time_runs_faster() -> None:
    room = heard((RUNNING, 6.0), (RoomTime("s", 50_000), 7.0), speed=3.0)
    assert room.level() == LevelView(3, BLINDS, ends=37.0)


def heard_by(rules: TournamentRules, *told: Struct) -> LevelView | None:
    """The level at a table with these rules, which has heard that at its second 7."""
    room = RoomHeard("main", rules=rules)
    topics: dict[type[Struct], Topic[Any]] = {
        RoomTime: ROOM_TIME,
        RoomClock: ROOM_CLOCK,
        RoomTournament: ROOM_TOURNAMENT,
    }
    for payload in told:
        room.received(message(topics[type(payload)], payload), 7.0)
    return room.level()


NOW = RoomTime("s", 50_000)
STANDS = msgspec.structs.replace(RUNNING, deadline_ms=None, remaining_ms=5_500, state="paused")


def test_no_dealer_is_pushed_in_the_last_ninety_seconds_of_a_level(library: Library) -> None:
    """UK-RP7, TDA24-RP7; the others are silent."""
    by_book = {}
    for book in BOOKS:
        level = heard_by(library.book(book).tournament, RUNNING, NOW)
        assert level is not None
        by_book[book] = level.no_push
    assert by_book == {**dict.fromkeys(BOOKS), "uk-tda": 17.0 - 90, "tda-2024": 17.0 - 90}
    on_break = msgspec.structs.replace(RUNNING, on_break=True)
    level = heard_by(library.book("uk-tda").tournament, on_break, NOW)
    assert level is not None
    assert level.no_push is None


def test_no_hand_begins_while_the_clock_is_stopped_where_the_book_says_so(
    library: Library,
) -> None:
    """HPT-TIMER-06, NL10-TIMER-07: in breaks and disputes."""
    stopped = {}
    for book in BOOKS:
        level = heard_by(library.book(book).tournament, STANDS, NOW)
        assert level is not None
        stopped[book] = level.stopped
    assert {book for book in BOOKS if stopped[book]} == {"homepokertourney", "nl-2010"}
    rules = library.book("homepokertourney").tournament
    together = heard_by(rules, STANDS, RoomTournament(round=3), NOW)
    assert together is not None
    assert not together.stopped  # hand for hand the clock stands, and hands are dealt


def test_hands_stay_face_down_hand_for_hand_where_the_book_says_so(library: Library) -> None:
    """TDA24-RP8F."""
    rules, together = library.book("tda-2024").tournament, RoomTournament(round=3)
    heard = heard_by(rules, STANDS, together, NOW), heard_by(rules, STANDS, NOW)
    assert [level is not None and level.face_down for level in heard] == [True, False]
    level = heard_by(library.book("uk-tda").tournament, STANDS, together, NOW)
    assert level is not None
    assert not level.face_down


def test_decks_are_readied_in_the_last_minute_of_a_break(library: Library) -> None:
    """TDA24-RP20A."""
    rules = library.book("tda-2024").tournament
    on_break = heard_by(rules, msgspec.structs.replace(RUNNING, on_break=True), NOW)
    assert on_break is not None
    assert on_break.ready == 17.0 - 60
    playing = heard_by(rules, RUNNING, NOW)
    assert playing is not None
    assert playing.ready is None


def test_jitter_does_not_move_the_end_and_a_new_deadline_does() -> None:
    room = heard((RUNNING, 0.0), (RoomTime("s", 50_000), 7.0), (RoomTime("s", 51_000), 8.2))
    assert room.level() == LevelView(3, BLINDS, ends=17.0)
    room.received(message(ROOM_TIME, RoomTime("s", 52_000)), 9.5)
    assert room.level() == LevelView(3, BLINDS, ends=17.5)


def test_a_silent_room_is_lost_since_it_was_last_heard() -> None:
    room = heard((RoomTime("s", 50_000), 7.0))
    assert room.lost_since(12.0) is None
    assert room.lost_since(12.1) == 7.0
    room.received(message(ROOM_TIME, RoomTime("s", 56_000)), 13.0)
    assert room.lost_since(13.0) is None
    assert RoomHeard("main").lost_since(1e6) is None


def test_a_room_that_died_is_lost_at_once() -> None:
    room = heard((RoomTime("s", 50_000), 7.0), (State("lost", "s", "1"), 8.0))
    assert room.lost_since(8.5) == 8.0
    room.received(message(ROOM_TIME, RoomTime("s", 51_000)), 9.0)
    assert room.lost_since(9.0) is None


@pytest.mark.parametrize("payload", [b"", b"nonsense", b'{"v":9}', b'{"v":1,"session":1}'])
def test_nonsense_is_counted(payload: bytes) -> None:
    room = RoomHeard("main")
    assert room.received(Incoming(ROOM_TIME.name("main"), payload, retain=False), 1.0)
    assert room.unread == 1
    assert not room.received(Incoming("cutcard/1/main/tables/T1/cmd/misdeal", b"", False), 1.0)


def test_who_comes_and_who_leaves_until_their_time_is_over() -> None:
    told = RoomTournament(
        moves=(
            Move(1, "Anna", Place("T3", 2), Place("T1", 5), 60_000),
            Move(2, "Bob", Place("T1"), Place("Stage", 9), 60_000),
            Move(3, "Cy", Place("T1"), Place("T1", 8), 55_000),
            Move(4, "Dora", Place("T3"), Place("T4"), 60_000),
        )
    )
    room = heard((told, 1.0), (RoomTime("s", 50_000), 7.0))
    anna, bob = MoveView("Anna", "T3", 5), MoveView("Bob", "Stage", 9, leaves=True)
    assert room.moves("T1", 11.9) == (anna, bob, MoveView("Cy", "T1", 8))
    assert room.moves("T1", 12.0) == (anna, bob)
    assert room.moves("T1", 17.0) == ()
    assert heard((told, 1.0)).moves("T1", 1.0) == ()
    fast = heard((told, 1.0), (RoomTime("s", 50_000), 7.0), speed=10.0)
    assert fast.moves("T1", 106.0) == (anna, bob)
    assert room.received(Incoming(ROOM_TOURNAMENT.name("main"), b"", retain=True), 8.0)
    assert room.moves("T1", 8.0) == ()


def test_a_table_hears_which_chips_it_races_now() -> None:
    """UK-22B: with what its book wants of it; the smallest chips first, until it has raced them."""
    steps = (("race-seen", ("UK-22B",)),)
    racing = (Racing(25, 100, ("T1", "T2")), Racing(100, 500, ("T1", "T2")))
    room = RoomHeard("main", race=steps)
    assert room.race("T1") is None
    told = message(ROOM_TOURNAMENT, RoomTournament(racing=racing))
    assert room.received(told, 1.0)
    assert room.race("T1") == RaceView(25, 100, steps)
    assert room.race("T3") is None
    done = replace(racing[0], tables=("T2",))
    assert room.received(message(ROOM_TOURNAMENT, RoomTournament(racing=(done, racing[1]))), 2.0)
    assert room.race("T1") == RaceView(100, 500, steps)


# several events


def of_event(event: str, topic: Topic[Any], payload: Struct | None) -> Incoming:
    said = b"" if payload is None else msgspec.json.encode(payload)
    return Incoming(topic.name("main", event), said, retain=True)


def level(number: int) -> RoomClock:
    return replace(RUNNING, level=number, deadline_ms=None, remaining_ms=number * 1_000)


def at_table(table: str) -> RoomHeard:
    """A table of a room whose first event is in level 3, and its event turbo, which has the tables
    4 and 5, in level 8 of hand for hand."""
    room = RoomHeard("main", table=table)
    turbo = RoomTournament("Turbo", round=2, tables=("4", "5"))
    for incoming in (
        message(ROOM_TIME, RoomTime("s", 0)),
        message(ROOM_CLOCK, level(3)),
        message(ROOM_TOURNAMENT, RoomTournament("Main")),
        of_event("turbo", EVENT_TOURNAMENT, turbo),
        of_event("turbo", EVENT_CLOCK, level(8)),
        of_event("late", EVENT_CLOCK, level(1)),
    ):
        assert room.received(incoming, 1.0)
    return room


def shown(room: RoomHeard) -> tuple[int, float | None, int | None]:
    now = room.level()
    assert now is not None
    return now.level, now.left, now.round


def test_a_table_follows_the_event_that_lists_it_else_the_first() -> None:
    assert shown(at_table("5")) == (8, 8.0, 2)
    assert shown(at_table("6")) == (3, 3.0, None)


def test_a_table_goes_with_the_lists() -> None:
    room = at_table("6")
    late = RoomTournament("Late", tables=("6",))
    room.received(of_event("late", EVENT_TOURNAMENT, late), 2.0)
    assert shown(room) == (1, 1.0, None)
    room.received(of_event("late", EVENT_TOURNAMENT, RoomTournament("Late")), 3.0)
    assert shown(room) == (3, 3.0, None)


def test_the_end_of_a_level_is_that_of_the_tables_event() -> None:
    room = at_table("6")
    running = replace(RUNNING, deadline_ms=60_000)
    room.received(of_event("late", EVENT_CLOCK, running), 2.0)
    now = room.level()
    assert now is not None
    assert now.ends is None
    room.received(of_event("late", EVENT_TOURNAMENT, RoomTournament("Late", tables=("6",))), 2.0)
    now = room.level()
    assert now is not None
    assert now.ends == 61.0


def test_moves_are_those_of_the_tables_event() -> None:
    going = (Move(1, "Cleo", Place("4", 1), Place("5", 2), 60_000),)
    turbo = RoomTournament("Turbo", tables=("4", "5"), moves=going)
    room = at_table("5")
    room.received(of_event("turbo", EVENT_TOURNAMENT, turbo), 2.0)
    assert [each.player for each in room.moves("5", 2.0)] == ["Cleo"]


def test_a_table_of_a_closed_event_follows_the_first() -> None:
    room = at_table("5")
    room.received(of_event("turbo", EVENT_CLOCK, None), 2.0)
    room.received(of_event("turbo", EVENT_TOURNAMENT, None), 2.0)
    assert shown(room) == (3, 3.0, None)
    assert room.unread == 0
