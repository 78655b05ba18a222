"""Whom an alert calls and when more are called, duty, sections and handing over."""

from __future__ import annotations

import pytest

from controller.room.acts import ActError
from controller.room.ntfy import Ntfy, Push
from controller.room.shift import Pushes
from tests.room.test_alert_life import Floor


class Telephones(Ntfy):
    def __init__(self) -> None:
        self.sent: list[Push] = []
        self.pushes = Pushes(on=True)

    def push(self, message: Push) -> None:
        self.sent.append(message)


@pytest.fixture
def telephones() -> Telephones:
    return Telephones()


@pytest.fixture
def floor(telephones: Telephones) -> Floor:
    floor = Floor(ntfy=telephones, sections={"north": ("T1", "T2"), "south": ("T3",)})
    floor.does("duty", "Ann", on=True, sections=["north"])
    floor.does("duty", "Bo", on=True, sections=["south"])
    floor.does("duty", "Dir", on=True, director=True)
    return floor


def calls(floor: Floor, key: str = "T1/1") -> tuple[str, ...]:
    return floor.room.view().shift.calls[key]


def raised_now(floor: Floor, number: int = 1, prio: int = 1) -> None:
    """The table's `at` is wall time; this machine's began with it."""
    floor.alert("T1", number, prio=prio)  # type: ignore[arg-type]


def alert(floor: Floor, prio: int) -> None:
    floor.machine.wall_jumps(101 - floor.machine.wall_ms)
    raised_now(floor, prio=prio)
    assert floor.clocks.now_ms() == floor.one().at


@pytest.mark.parametrize(("prio", "step"), [(1, 30), (2, 120)])
def test_nobody_takes_it(floor: Floor, telephones: Telephones, prio: int, step: int) -> None:
    alert(floor, prio)
    assert calls(floor) == ("Ann",)
    due = floor.room.view().shift.escalates_ms["T1/1"]
    assert due == floor.one().at + step * 1_000
    floor.passes((step - 1) * 1_000)
    assert (floor.one().level, calls(floor)) == (0, ("Ann",))
    floor.passes(1_000)
    assert (floor.one().level, floor.one().why) == (1, "not-taken")
    assert calls(floor) == ("Ann", "Bo")
    floor.passes(step * 1_000)
    assert (floor.one().level, calls(floor)) == (2, ("Ann", "Bo", "Dir"))
    assert "T1/1" not in floor.room.view().shift.escalates_ms
    lines = [each.words for each in floor.room.since(0)[1] if each.what == "escalated"]
    assert lines == ["1 not-taken", "2 not-taken"]
    assert len(telephones.sent) == 2 + (prio == 1)
    floor.does("take", "Bo", key="T1/1")
    assert (floor.one().level, calls(floor)) == (0, ("Bo",))


def test_what_is_noted_only_calls_nobody_else(floor: Floor, telephones: Telephones) -> None:
    alert(floor, 3)
    floor.passes(600_000)
    assert floor.one().level == 0
    assert telephones.sent == []


def test_taken_and_not_ruled_on(floor: Floor) -> None:
    alert(floor, 1)
    floor.does("take", "Bo", key="T1/1")
    floor.passes(299_000)
    assert (floor.one().level, calls(floor)) == (0, ("Bo",))
    floor.passes(1_000)
    assert (floor.one().level, floor.one().why) == (1, "not-ruled")
    assert calls(floor) == ("Ann", "Bo")
    floor.decides("ruling", "Bo", finding=1, outcome="stands")
    floor.answers(floor.commands("ruling")[0][1])
    floor.passes(600_000)
    assert floor.one().level == 0


def test_who_has_it_goes_off_duty(floor: Floor) -> None:
    alert(floor, 1)
    floor.does("take", "Bo", key="T1/1")
    floor.does("duty", "Bo", on=False)
    assert (floor.one().owner, calls(floor)) == ("Bo", ("Ann",))
    floor.passes(30_000)
    assert (floor.one().level, floor.one().why) == (1, "owner-away")
    floor.does("take", "Ann", key="T1/1")
    assert (floor.one().owner, floor.one().level) == ("Ann", 0)


def test_who_comes_back_has_it_again(floor: Floor) -> None:
    alert(floor, 1)
    floor.does("take", "Bo", key="T1/1")
    floor.does("duty", "Bo", on=False)
    floor.passes(40_000)
    floor.does("duty", "Bo", on=True)
    floor.passes(1_000)
    assert (floor.one().owner, floor.one().level, calls(floor)) == ("Bo", 0, ("Bo",))


def test_the_shift_passes_on_with_a_note(floor: Floor) -> None:
    alert(floor, 1)
    floor.does("take", "Ann", key="T1/1")
    floor.does("shift", "Ann", to="Cy", note="Seat 3 at T1\nargues.")
    assert floor.one().owner == "Cy"
    people = {each.name: each for each in floor.room.view().shift.people}
    assert set(people) == {"Bo", "Cy", "Dir"}
    assert people["Cy"].tables == ("T1", "T2")
    (note,) = floor.room.view().shift.notes
    assert (note.by, note.to, note.text) == ("Ann", "Cy", "Seat 3 at T1\nargues.")
    with pytest.raises(ActError, match="for Cy"):
        floor.does("read-note", "Bo", id=note.id)
    floor.does("read-note", "Cy", id=note.id)
    assert floor.room.view().shift.notes == ()


@pytest.mark.parametrize(
    ("name", "fields", "why"),
    [
        ("duty", {"on": True, "sections": ["nroth"]}, "no section 'nroth'"),
        ("duty", {"on": False, "person": "Eve"}, "Eve is not on duty"),
        ("hand-over", {"key": "T1/1", "to": "Eve"}, "Eve is not on duty"),
        ("shift", {"to": "Ann"}, "same person"),
        ("section", {"name": "east", "tables": []}, "no section 'east'"),
        ("section", {"name": "east", "tables": ["a/b"]}, "tables"),
        ("note", {"text": "x" * 501}, "text"),
        ("note", {"text": ""}, "text"),
        ("read-note", {"id": 9}, "has already been read"),
        ("take", {"key": "T9/9"}, "is closed"),
        ("take", {}, "key"),
        ("tkae", {}, "did you mean 'take'"),
        ("take", {"key": "T1/1", "ovre": True}, "did you mean 'over'"),
    ],
)
def test_what_cannot_be_done_is_said(
    floor: Floor, name: str, fields: dict[str, object], why: str
) -> None:
    alert(floor, 1)
    before = floor.room.view().shift.alerts
    with pytest.raises(ActError, match=why):
        floor.does(name, **fields)
    assert floor.room.view().shift.alerts == before


def test_sections_change_and_go(floor: Floor) -> None:
    alert(floor, 2)
    floor.does("section", name="south", tables=["T3", "T1"])
    assert calls(floor) == ("Ann", "Bo")
    floor.does("section", name="north", tables=[])
    assert floor.room.view().shift.sections == {"south": ("T3", "T1")}
    people = {each.name: each for each in floor.room.view().shift.people}
    assert people["Ann"].everything


def test_with_nobody_on_duty_everybody_is_called() -> None:
    floor = Floor()
    alert(floor, 1)
    assert calls(floor) == ()


def test_a_flood_is_grouped_and_never_hides_what_stops_a_table(floor: Floor) -> None:
    floor.machine.wall_jumps(101 - floor.machine.wall_ms)
    for number in range(1, 10):
        floor.alert("T1", number, prio=3)
    assert not floor.room.view().shift.people[0].flood
    floor.alert("T1", 10, prio=1)
    shift = floor.room.view().shift
    assert {each.name: each.flood for each in shift.people} == {
        "Ann": True,
        "Bo": False,
        "Dir": True,
    }
    (group,) = shift.groups
    assert (group.count, group.worst, len(group.keys)) == (10, 1, 9)
    assert "T1/10" not in group.keys
    floor.passes(601_000)
    assert not any(each.flood for each in floor.room.view().shift.people)


def test_the_shift_in_numbers(floor: Floor) -> None:
    floor.machine.wall_jumps(101 - floor.machine.wall_ms)
    for number in range(1, 21):
        floor.alert("T1", number, prio=1 if number == 1 else 2 if number < 5 else 3)
    floor.passes(10_000)
    floor.does("take", key="T1/1")
    floor.passes(10_000)
    floor.closes("T1", 1)
    floor.passes(2_000)
    counts = floor.room.view().shift.counts
    assert counts.raised == (1, 3, 16)
    assert counts.shares == (5, 15, 80)
    assert counts.rate == round(20 / 3, 2)
    assert counts.to_take_ms is not None
    assert 10_000 <= counts.to_take_ms[0] <= 10_100
    assert counts.to_close_ms is not None
    assert 20_000 <= counts.to_close_ms[1] <= 20_100
