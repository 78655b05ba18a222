"""What a player's phone is told, and where it finds it."""

from __future__ import annotations

import socket
from ipaddress import ip_address
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from controller.contract.events import Blinds
from controller.contract.messages import Move, Notice, Place, RoomClock, RoomTournament
from controller.room import address
from controller.room.address import (
    AddressError,
    base_of,
    finder,
    for_phones,
    own_address,
    phones_address,
)
from controller.room.did import Did
from controller.room.structure import Entry
from controller.room.tables import OpenAlert
from controller.room.view import PhonesAddress, RoomView
from display.web.pocket import ComingLine, PocketView, names_of_languages, pocket, pulse, words_of

MINUTE = 60_000
LEVEL = RoomClock(
    index=3,
    level=4,
    on_break=False,
    blinds=Blinds(100, 200, 200),
    next_blinds=Blinds(1_500, 3_000, 3_000),
    next_is_break=False,
    duration_ms=20 * MINUTE,
    deadline_ms=5_000,
    to_break_ms=MINUTE,
)
ENTRIES = (
    *(Entry(20 * MINUTE, Blinds(25, 50)) for _ in range(4)),
    Entry(20 * MINUTE, Blinds(1_500, 3_000, 3_000)),
    Entry(10 * MINUTE, None),
    Entry(15 * MINUTE, Blinds(1_000_000, 2_000_000)),
)
ROOM = RoomView("hall", "Standard", 1_000, LEVEL, (), (), heard=True, banner="", entries=ENTRIES)


def told(room: RoomView, language: str = "en") -> PocketView:
    message = pocket(room, words_of(language))
    assert message.told is not None
    return message.told


def test_a_level_in_words() -> None:
    shown = told(ROOM)
    assert (shown.state, shown.word, shown.heading) == ("running", "Running", "Level 4")
    assert (shown.blinds, shown.ante) == ("100 / 200", "200")
    assert (shown.next_label, shown.next, shown.next_ante) == ("Next", "1,500 / 3,000", "3,000")
    assert (shown.deadline_ms, shown.to_break_ms) == (5_000, MINUTE)
    assert shown.coming == (
        ComingLine("Level 5", "1,500 / 3,000", "3,000", "20 min", is_break=False),
        ComingLine("Break", "", "", "10 min", is_break=True),
        ComingLine("Level 6", "1M / 2M", "", "15 min", is_break=False),
    )


def test_what_is_known_of_the_tournament() -> None:
    about = RoomTournament(
        name="Cup",
        entries=48,
        players_left=31,
        average_stack=38_709,
        prizes=("1,200 €", "720 €"),
        notices=(Notice(1, "Dinner"),),
    )
    shown = told(replace(ROOM, tournament=about))
    assert (shown.name, shown.players, shown.average) == ("Cup", "31 / 48", "38,709")
    assert (shown.prizes, shown.notices) == (("1,200 €", "720 €"), ("Dinner",))
    unknown = told(ROOM)
    assert (unknown.name, unknown.players, unknown.average) == ("", "", "")


def test_who_has_to_move_reads_it_on_the_phone() -> None:
    move = Move(1, "Ann Lee", Place("T1", 4), Place("T2", 6), until_ms=9_000)
    about = RoomTournament(notices=(Notice(1, "Dinner"),))
    shown = told(replace(ROOM, tournament=about, moves=(move,)))
    assert shown.notices == ("Ann Lee: from table T1 to table T2, seat 6", "Dinner")
    assert "Ann Lee" in told(replace(ROOM, moves=(move,)), "de").notices[0]


@pytest.mark.parametrize(
    ("state", "word"),
    [
        ("ready", "READY"),
        ("last-minute", "LAST MINUTE"),
        ("holding", "LAST HAND"),
        ("paused", "PAUSED"),
        ("question", "STOPPED"),
        ("last-level", "LAST LEVEL"),
        ("ended", "GAME OVER"),
    ],
)
def test_every_state_has_a_word(state: Any, word: str) -> None:  # noqa: ANN401 - a ShownState
    assert (told(replace(ROOM, state=state)).state, told(replace(ROOM, state=state)).word) == (
        state,
        word,
    )


def test_a_break_has_the_blinds_after_it() -> None:
    shown = told(replace(ROOM, state="break", clock=replace(LEVEL, on_break=True)))
    assert (shown.heading, shown.word, shown.blinds) == ("Break", "Break", "1,500 / 3,000")
    assert (shown.next_label, shown.next, shown.to_break_ms) == ("Then", "Level 5", None)


def test_a_level_that_a_break_interrupts_comes_again_with_what_it_has_left() -> None:
    clock = replace(LEVEL, on_break=True, called=True, level_left_ms=7 * MINUTE + 1)
    shown = told(replace(ROOM, clock=clock))
    assert shown.next == "Level 4"
    assert shown.coming[0] == ComingLine("Level 4", "100 / 200", "200", "8 min", is_break=False)
    assert shown.coming[1].heading == "Level 5"


def test_before_a_break_at_the_last_level_and_at_the_end() -> None:
    before = told(replace(ROOM, clock=replace(LEVEL, next_is_break=True, to_break_ms=0)))
    assert (before.next, before.next_ante, before.to_break_ms) == ("Break", "", 0)
    last = replace(LEVEL, next_blinds=None, to_break_ms=None)
    assert told(replace(ROOM, clock=last)).next == "Last level"
    run_out = replace(last, ended=True, deadline_ms=None, remaining_ms=0)
    final = told(replace(ROOM, clock=run_out, state="last-level"))
    assert (final.heading, final.blinds, final.next, final.coming) == (
        "Level 4", "100 / 200", "", (),
    )  # fmt: skip
    over = told(replace(ROOM, clock=run_out, state="ended"))
    assert (over.heading, over.blinds, over.next) == ("GAME OVER", "", "")


def test_it_speaks_every_language_and_writes_amounts_as_there() -> None:
    assert list(names_of_languages().items())[:2] == [("de", "Deutsch"), ("en", "English")]
    shown = told(ROOM, "de")
    assert (shown.word, shown.next_label, shown.next) == ("Läuft", "Danach", "1.500 / 3.000")
    assert [each.heading for each in shown.coming] == ["Level 5", "Pause", "Level 6"]
    assert all(told(ROOM, each).word for each in names_of_languages())


def test_nothing_of_the_desks_is_told() -> None:
    alerts = (OpenAlert("SECRET-table", "1", "SECRET-alert", 1, 5, stale=False),)
    room = replace(
        ROOM,
        site="SECRET-site",
        alerts=alerts,
        history=(Did(0, 0, "SECRET-actor", "SECRET-did"),),
        faults=("SECRET-fault",),
        playing=("SECRET-table",),
        old_level=("SECRET-table",),
        pocket=PhonesAddress(reason="SECRET-reason"),
    )
    assert b"SECRET" not in msgspec.json.encode(pocket(room, words_of("en")))


def test_a_beat_has_the_time_and_no_more() -> None:
    message = pocket(replace(ROOM, wall_ms=77), words_of("en"))
    beat = pulse(message)
    assert (beat.told, beat.now_ms, beat.wall_ms) == (None, 1_000, 77)
    assert len(msgspec.json.encode(beat)) < 200


def test_the_address_that_is_given_counts() -> None:
    for given in ("http://clock.club.lan:8080/", "http://clock.club.lan:8080"):
        found = phones_address(given, "127.0.0.1", 1, None)
        assert found == PhonesAddress("http://clock.club.lan:8080/pocket")
    assert base_of("https://club.lan/room") == "https://club.lan/room/"


@pytest.mark.parametrize(
    "given", ["clock.club.lan", "ftp://a/", "http://", "http://a:x/", "http://a b/", "http://a/?b",
              "http://me@a/", "http://a:99999/", "http://[::1/"],
)  # fmt: skip
def test_what_is_no_address(given: str) -> None:
    with pytest.raises(AddressError):
        base_of(given)


def test_the_address_follows_from_what_the_pages_are_bound_to() -> None:
    own = "10.0.0.7"
    assert phones_address(None, "0.0.0.0", 8080, own).address == "http://10.0.0.7:8080/pocket"  # noqa: S104
    assert phones_address(None, "::", 80, own).address == "http://10.0.0.7/pocket"
    assert phones_address(None, "10.9.9.9", 8080, own).address == "http://10.9.9.9:8080/pocket"
    assert phones_address(None, "fd00::1", 8080, own).address == "http://[fd00::1]:8080/pocket"
    for host in ("127.0.0.1", "::1", "localhost", "127.1.2.3"):
        found = phones_address(None, host, 8080, own)
        assert (found.address, found.why) == ("", "host")
        assert f'[web] host = "{host}"; "0.0.0.0" opens them' in found.reason
    alone = phones_address(None, "0.0.0.0", 8080, None)  # noqa: S104
    assert (alone.reason, alone.why) == ("this machine is not on a network", "network")


@pytest.mark.parametrize(
    "given",
    ["http://127.0.0.1:8080/", "http://localhost/", "https://[::1]:8443", "http://room.localhost/"],
)
def test_an_address_that_is_this_machines_own_is_none_for_phones(given: str) -> None:
    found = phones_address(given, "0.0.0.0", 8080, "10.0.0.7")  # noqa: S104
    assert (found.address, found.why) == ("", "address")
    assert given in found.reason


@pytest.mark.parametrize(
    ("asked", "base", "found"),
    [
        ("http://10.0.0.7:8080/join?code=x", "", "http://10.0.0.7:8080/join?code=x"),
        ("http://127.0.0.1:8080/join?code=x", "", ""),
        ("http://localhost:8080/join?code=x", "http://10.0.0.7/", "http://10.0.0.7/join?code=x"),
        ("http://127.0.0.1/join", "http://clock.lan/room/", "http://clock.lan/room/join"),
        ("https://127.0.0.1:8443/trust", "http://10.0.0.7:8080/", "https://10.0.0.7:8443/trust"),
        ("https://[::1]/trust", "http://[fd00::1]:8080/", "https://[fd00::1]/trust"),
    ],
)
def test_what_was_asked_of_this_machine_is_told_to_phones_as_they_find_it(
    asked: str, base: str, found: str
) -> None:
    assert for_phones(asked, PhonesAddress(f"{base}pocket" if base else "")) == found


def test_a_network_that_comes_late_is_found() -> None:
    now, own = 100.0, None
    find = finder(None, "0.0.0.0", 80, lambda: own, lambda: now)  # noqa: S104
    assert find().address == ""
    own = "10.0.0.7"
    assert find().address == ""
    now += 5
    assert find().address == "http://10.0.0.7/pocket"


def test_its_own_address_is_found_where_nothing_far_away_can_be_reached(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As in a card room without internet, by a service that may not use AF_NETLINK."""

    def refused() -> None:
        raise OSError(97, "Address family not supported by protocol")

    near = own_address()
    monkeypatch.setattr(address, "_FAR_AWAY", ("255.255.255.255", 9))  # not to be reached
    monkeypatch.setattr(socket, "if_nameindex", refused)
    found = own_address()
    assert found is not None or near is None
    assert found is None or not ip_address(found).is_loopback


def test_this_machines_own_address_is_no_loop() -> None:
    found = own_address()
    assert found is None or not found.startswith("127.")
