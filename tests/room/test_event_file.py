"""An event as a file: all of it comes back, a template is what was set, and rubbish is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from controller.room.acts import ActError
from controller.room.event_file import asked, read
from controller.room.event_service import EventService
from controller.room.record import Record
from tests.room.evening import MINUTE, Hall, Machine
from tests.room.events import act, create, kept, kill, lists


def evening(hall: Hall) -> EventService:
    """An event in full swing: three players of whom one is out, prices, an offer, a penalty, a
    clock that has run for five minutes."""
    turbo = create(hall)
    lists(turbo, "2", "3")
    act(turbo, "money", buy_in=5_000, fee=500, currency="€")
    act(turbo, "offer", what="rebuy", until=3)
    act(turbo, "even", gap=2, halt=4)
    for name in ("Cleo", "Dan", "Eve"):
        act(turbo, "enter", name=name)
    act(turbo, "draw", seed="1")
    act(turbo, "start")
    hall.passes(5 * MINUTE)
    act(turbo, "bust", entrant="p3")
    act(turbo, "warn", player="p1", reason="phone")
    act(turbo, "notice", text="Pizza is here")
    shares = [{"player": each, "amount": 5_000} for each in ("p1", "p2")]
    act(turbo, "deal", shares=shares, text="even")
    return turbo


def file_of(hall: Hall, event: str = "turbo") -> dict[str, Any]:
    found: dict[str, Any] = json.loads(hall.room.exported(event))
    return found


def the_same(one: Record, other: Record) -> bool:
    """But for what is of this run of the clock and of this room."""
    alike = {"clock": other.clock, "configured": None, "lineage": "", "revision": 0, "closed": ()}
    return replace(one, **alike) == replace(other, **alike)


def test_all_of_an_event_comes_back_in_another_room() -> None:
    hall = Hall()
    turbo = evening(hall)
    file = file_of(hall)
    assert (file["kind"], file["v"], file["name"]) == ("cutcard event", 1, "Turbo")
    other = Hall()
    again = create(other, "again", "", file=file)
    assert again.name == "Turbo"
    assert the_same(again.keeper.record, turbo.keeper.record)
    assert [each.name for each in again.view().register.players] == ["Cleo", "Dan", "Eve"]
    assert [each.player for each in again.view().finishes] == ["Eve"]
    assert again.view().money.prices.buy_in == 5_000
    assert len(again.view().money.deals) == 1
    assert again.view().conduct == turbo.view().conduct


def test_a_clock_that_ran_stands_with_what_was_left_when_the_file_was_made() -> None:
    hall = Hall()
    turbo = evening(hall)
    file = file_of(hall)
    assert turbo.view().state == "running"  # the event itself goes on
    hall.passes(3 * MINUTE)
    other = Hall()
    other.passes(45 * MINUTE)
    again = create(other, "again", file=file)
    assert (again.view().state, again.view().left_ms) == ("paused", 15 * MINUTE)
    act(again, "resume")
    other.passes(MINUTE)
    assert again.view().left_ms == 14 * MINUTE


def test_an_event_that_was_imported_outlives_a_restart(tmp_path: Path) -> None:
    hall = Hall()
    evening(hall)
    machine = Machine()
    other = kept(tmp_path / "room.sqlite", machine)
    again = create(other, "again", file=file_of(hall))
    before = again.keeper.record
    kill(other)
    after = kept(tmp_path / "room.sqlite", machine, "s2").room.event("again")
    assert after is not None
    assert after.keeper.record == before


def test_the_first_event_can_be_exported_too() -> None:
    hall = Hall()
    hall.act("enter", name="Bob")
    players = file_of(hall, "")["record"]["register"]["players"]
    assert [each["name"] for each in players] == ["Bob"]
    with pytest.raises(ActError, match="no event late"):
        hall.room.exported("late")


# templates


def check_template(new: EventService, like: EventService) -> None:
    """What was set is as it was, and nothing has happened yet."""
    view = new.view()
    assert view.schedule == like.view().schedule
    assert (view.state, view.left_ms) == ("ready", 20 * MINUTE)
    assert view.register.players == ()
    assert view.register.draws == ()
    assert (view.register.gap, view.register.halt) == (2, 4)
    assert view.register.offers == like.view().register.offers
    assert view.money.prices == like.view().money.prices
    assert (view.money.paid_out, view.money.deals) == ((), ())
    assert (view.finishes, view.moves, view.tournament.notices) == ((), (), ())
    assert view.conduct.given == ()
    assert view.tournament.entries is None


def test_a_template_of_a_file_is_what_was_set() -> None:
    hall = Hall()
    turbo = evening(hall)
    other = Hall()
    new = create(other, "next", "Next", file=file_of(hall), template=True)
    check_template(new, turbo)
    assert new.name == "Next"
    assert [each.table for each in new.view().register.tables] == ["2", "3"]


def test_a_template_of_an_event_leaves_it_its_tables() -> None:
    hall = Hall()
    turbo = evening(hall)
    left_out = hall.room.create(asked({"id": "next", "name": "Next", "like": "turbo"}))
    assert left_out == ("2", "3")
    new = hall.room.event("next")
    assert new is not None
    check_template(new, turbo)
    assert new.view().register.tables == ()
    assert [each.table for each in turbo.view().register.tables] == ["2", "3"]


def test_the_first_event_is_a_template_too() -> None:
    hall = Hall()
    hall.act("money", buy_in=2_000)
    hall.act("enter", name="Bob")
    new = create(hall, like="")
    assert new.view().money.prices.buy_in == 2_000
    assert new.view().register.players == ()


def test_a_template_of_what_there_is_not_is_refused() -> None:
    hall = Hall()
    with pytest.raises(ActError, match="there is no event late"):
        create(hall, like="late")
    assert [each.id for each in hall.room.events()] == [""]


# what is refused, and then nothing is made


def test_a_whole_file_with_a_table_of_another_event_is_refused_with_its_name() -> None:
    hall = Hall()
    evening(hall)
    with pytest.raises(ActError, match="table 2 is one of Turbo"):
        create(hall, "again", file=file_of(hall))
    assert [each.id for each in hall.room.events()] == ["", "turbo"]


def changed(file: dict[str, Any], *path: str | int, to: object) -> dict[str, Any]:
    """The file with another value there."""
    whole = json.loads(json.dumps(file))
    at = whole
    for each in path[:-1]:
        at = at[each]
    at[path[-1]] = to
    return whole  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    ("path", "to", "words"),
    [
        (("v",), 2, r"a newer version of cutcard has written this file \(version 2\)"),
        (("v",), "1", "the file can't be used"),
        (("kind",), "shopping list", "this is no file of an event"),
        (("record", "clock", "index"), 99, "a level that there is not"),
        (("record", "clock", "index"), -1, "a level that there is not"),
        (("record", "clock", "structure", "entries"), [], "at least one level"),
        (("record", "clock", "structure", "entries", 1, "duration_ms"), -5, "entry 2"),
        (("record", "clock", "structure", "entries", 1, "blinds", "big"), 0, "entry 2"),
        (("record", "clock", "remaining_ms"), None, "its clock does not stand"),
        (("record", "clock", "remaining_ms"), -1, "its clock does not stand"),
        (("record", "clock", "deadline_ms"), 5, "its clock does not stand"),
        (("record", "register", "tables", 1, "table"), "2", "a table is in it twice"),
        (("record", "register", "players", 0, "id"), "p2", "a player is in it twice"),
        (("record", "register", "players", 0, "name"), 7, "the file can't be used"),
        (("record", "register", "players", 0, "at", "table"), "9", "no seat . at table 9"),
        (("record", "money", "prices", "buy_in"), -5, "the file can't be used"),
        (("record",), [], "the file can't be used"),
        (("more",), 1, "the file can't be used"),
    ],
)
def test_a_file_that_can_t_be_is_refused_in_words(
    tmp_path: Path, path: tuple[str | int, ...], to: object, words: str
) -> None:
    hall = Hall()
    evening(hall)
    file = changed(file_of(hall), *path, to=to)
    other = kept(tmp_path / "room.sqlite", Machine())
    for template in (False, True):
        with pytest.raises(ActError, match=words) as error:
            create(other, "again", file=file, template=template)
        assert "\n" not in str(error.value)
    assert [each.id for each in other.room.events()] == [""]
    assert not list(tmp_path.glob("*.events/*"))


def test_a_seat_is_one_players() -> None:
    hall = Hall()
    evening(hall)
    file = file_of(hall)
    players = file["record"]["register"]["players"]
    players[0]["at"] = players[1]["at"]
    with pytest.raises(ActError, match="two players have one seat"):
        create(Hall(), "again", file=file)


@pytest.mark.parametrize("content", [b"", b"{", b"\xff\xfe", b"[" * 100_000, b"null", b"[]", b"7"])
def test_rubbish_is_no_file(content: bytes) -> None:
    with pytest.raises(ActError, match="this is no file of an event"):
        read(content)


def test_what_is_written_can_be_read() -> None:
    hall = Hall()
    turbo = evening(hall)
    file = read(hall.room.exported("turbo"))
    assert the_same(file.record, turbo.keeper.record)
    assert file.wall_ms == hall.machine.wall_ms
