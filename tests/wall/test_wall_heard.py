from __future__ import annotations

from typing import Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct
from msgspec.structs import replace

from controller.broker.client import Incoming
from controller.contract.messages import (
    EVENT_CLOCK,
    EVENT_TOURNAMENT,
    Notice,
    RoomTournament,
    Topic,
)
from display.wall.heard import RoomAsHeard, took
from tests.wall.rooms import BREAK, LEVEL, PAUSED, SITE, clock, hears, state, time, tournament

NOBODY = RoomAsHeard(100.0)


def test_before_the_room_told_its_time_a_running_clock_has_none() -> None:
    known = hears(NOBODY, 100.0, clock(LEVEL))
    assert known.clock == LEVEL
    assert known.left_ms(101.0) is None
    assert hears(NOBODY, 100.0, clock(PAUSED)).left_ms(101.0) == 754_000


@given(st.lists(st.floats(0, 1.5), min_size=1, max_size=60))
def test_messages_that_are_late_do_not_make_the_clock_wrong(delays: list[float]) -> None:
    known = hears(NOBODY, 100.0, clock(LEVEL), time(54_000))
    for second, delay in enumerate(delays, 1):
        known = hears(known, 100.0 + second + delay, time(54_000 + 1000 * second))
    recent = [0.0, *delays][-20:]
    left_ms = known.left_ms(200.0)
    assert left_ms is not None
    assert abs(left_ms - 600_000 - 1000 * min(recent)) < 1e-3


def test_it_counts_on_when_nothing_is_heard_and_ends_at_nothing() -> None:
    known = hears(NOBODY, 100.0, clock(LEVEL), time(54_000))
    assert known.left_ms(400.0) == 400_000
    assert known.left_ms(2_000.0) == 0


def test_a_room_that_began_anew_has_a_time_of_its_own() -> None:
    known = hears(NOBODY, 100.0, clock(LEVEL), time(54_000))
    known = hears(known, 101.0, time(5_055_000), clock(BREAK))
    assert known.now_ms(102.0) == 5_056_000
    assert hears(known, 103.0, time(9_000, "another")).now_ms(104.0) == 10_000
    assert hears(known, 103.0, time(5_056_000, "another")).now_ms(104.0) == 5_057_000


def test_what_a_network_held_for_seconds_does_not_set_the_clock_back() -> None:
    known = hears(NOBODY, 100.0, clock(LEVEL), time(54_000))
    for now_ms in (55_000, 56_000, 57_000):
        known = hears(known, 106.0, time(now_ms))
        assert known.now_ms(106.0) == 60_000


def test_the_last_will_counts_until_the_room_tells_its_time() -> None:
    gone = hears(NOBODY, 100.0, clock(LEVEL), time(54_000), state("lost"))
    assert gone.gone
    assert not hears(gone, 110.0, time(64_000)).gone
    assert not hears(gone, 110.0, state("ready")).gone


def test_what_cannot_be_read_is_counted_and_changes_nothing() -> None:
    known = hears(NOBODY, 100.0, clock(LEVEL))
    for number, payload in enumerate((b"", b"{", b'{"v":2}', b'{"v":1,"index":"x"}'), 1):
        topic = clock(LEVEL).topic
        known = hears(known, 101.0, Incoming(topic, payload, retain=True))
        assert (known.clock, known.unread) == (LEVEL, number)
    assert hears(known, 101.0, Incoming(f"cutcard/1/{SITE}/other", b"x", retain=False)) == known


def test_what_a_room_says_besides_is_taken_where_it_is_said() -> None:
    known = hears(NOBODY, 1.0, clock(PAUSED, state="holding", why="seat change", revision=3))
    assert known.clock is not None
    assert (known.clock.state, known.clock.why) == ("holding", "seat change")
    assert hears(known, 1.0, clock(PAUSED)).clock == PAUSED
    assert hears(known, 1.0, clock(PAUSED, state=7)).unread == 1
    said = tournament(players_left=9, average_stack=4000, notices=[{"id": 1, "text": "Hello"}])
    about = hears(NOBODY, 1.0, said).tournament
    assert (about.players_left, about.average_stack) == (9, 4000)
    assert about.notices == (Notice(1, "Hello"),)
    nothing = Incoming(said.topic, b"", retain=True)
    assert hears(hears(NOBODY, 1.0, said), 1.0, nothing).tournament.players_left is None


def of_event(topic: Topic[Any], payload: Struct | None, event: str = "turbo") -> Incoming:
    said = b"" if payload is None else msgspec.json.encode(payload)
    return Incoming(topic.name(SITE, event), said, retain=True)


def test_a_wall_of_an_event_follows_that_alone() -> None:
    heard = RoomAsHeard(0.0)
    for incoming in (
        time(0),
        clock(LEVEL),
        tournament(name="Main"),
        of_event(EVENT_CLOCK, replace(PAUSED, level=9)),
        of_event(EVENT_TOURNAMENT, RoomTournament("Turbo")),
        of_event(EVENT_TOURNAMENT, RoomTournament("Late"), "late"),
    ):
        heard = took(heard, incoming, SITE, 1.0, "turbo")
    assert heard.clock is not None
    assert (heard.clock.level, heard.tournament.name) == (9, "Turbo")
    heard = took(heard, of_event(EVENT_CLOCK, None), SITE, 2.0, "turbo")
    assert (heard.clock, heard.unread) == (None, 0)


def test_a_wall_of_the_first_event_hears_of_no_other() -> None:
    heard = hears(RoomAsHeard(0.0), 1.0, time(0), clock(LEVEL), tournament(name="Main"))
    assert hears(heard, 2.0, of_event(EVENT_CLOCK, PAUSED)) == heard
