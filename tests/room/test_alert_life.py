"""The life of alerts, on a room that is only told: no act loses one or leaves it two owners."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from controller.contract.events import Closed, Event, Ruling, RulingText, Step
from controller.contract.messages import (
    TABLE_EVENT,
    TABLE_HAND,
    TABLE_HEALTH,
    Hand,
    Health,
    TableEvent,
)
from controller.contract.sight import Silence
from controller.contract.view import TableView
from controller.room.acts import ActError
from controller.room.alerts import RoomAlert
from controller.room.commander import OrderError
from controller.room.raising import PATIENCE_MS
from tests.room.evening import MINUTE, SITE, Hall

STANDS = RulingText("uk-tda", "stands", ("X",), (Step("a", "b"),))


class Floor(Hall):
    """A room with one table that is heard, at hand 7, and has said all unless it is just up."""

    def __init__(self, *, just_up: bool = False, **options: Any) -> None:  # noqa: ANN401 - the room's own
        super().__init__(**options)
        self.seq = 0
        self.room.link(True)
        self.table("T1")
        self.hand_is(7)
        if not just_up:
            self.machine.passes(5_000)
            self.room.tick()

    def hand_is(self, number: int = 7, table: str = "T1", **fields: object) -> None:
        given: dict[str, Any] = {"phase": "flop", **fields}
        view = TableView(table=table, rulebook="uk-tda", hand=number, **given)
        self.hears(TABLE_HAND.message(SITE, table, payload=Hand("t", 4, 5, view)))

    def happens(self, event: Event, table: str = "T1") -> None:
        self.seq += 1
        said = TableEvent("t", self.seq, 5, event)
        self.hears(TABLE_EVENT.message(SITE, table, payload=said))

    def ails(self, *links: str) -> None:
        self.hears(TABLE_HEALTH.message(SITE, "T1", payload=Health("t", 5, links=links)))

    def comes_back(self) -> None:
        """After the broker was away."""
        self.room.link(False)
        self.room.link(True)
        self.table("T1")

    def does(self, name: str, actor: str = "Ann", /, **fields: object) -> None:
        self.room.floor_act(name, {"actor": actor, **fields})

    def decides(self, name: str, actor: str = "Ann", **fields: object) -> None:
        given = {"actor": actor, "session": "t", "hand": 7, **fields}
        self.room.order("T1", name, given, role="floor")

    def alerts(self) -> dict[str, RoomAlert]:
        return {each.key: each for each in self.room.view().shift.alerts}

    def one(self, key: str = "T1/1") -> RoomAlert:
        return self.alerts()[key]

    def happened(self) -> list[tuple[str, str]]:
        """The oldest first."""
        lines = self.room.since(0)[1]
        return [(each.what if each.what != "acted" else each.act, each.actor) for each in lines]


@pytest.fixture
def floor() -> Floor:
    return Floor()


def test_taking_is_not_resolving(floor: Floor) -> None:
    floor.alert("T1", 1)
    assert (floor.one().state, floor.one().action) == ("new", "rule")
    floor.does("take", key="T1/1")
    assert (floor.one().state, floor.one().owner) == ("taken", "Ann")
    floor.closes("T1", 1)
    assert floor.alerts() == {}
    assert floor.happened() == [("raised", ""), ("take", "Ann"), ("closed", "")]


def test_the_first_has_it_and_the_second_is_told_who(floor: Floor) -> None:
    floor.alert("T1", 1)
    floor.does("take", key="T1/1")
    with pytest.raises(ActError, match=r"^Ann has it$"):
        floor.does("take", "Bo", key="T1/1")
    assert floor.one().owner == "Ann"
    floor.does("take", "Bo", key="T1/1", over=True)
    assert floor.one().owner == "Bo"
    assert floor.room.view().shift.news[0].to == "Ann"


def test_a_second_tap_changes_nothing(floor: Floor) -> None:
    floor.alert("T1", 1)
    floor.does("take", key="T1/1")
    floor.does("take", key="T1/1")
    assert floor.happened() == [("raised", ""), ("take", "Ann")]


def test_giving_back_and_handing_over(floor: Floor) -> None:
    floor.alert("T1", 1)
    floor.does("take", key="T1/1")
    with pytest.raises(ActError, match="Ann has it"):
        floor.does("give-back", "Bo", key="T1/1")
    with pytest.raises(ActError, match="Ann has it"):
        floor.does("hand-over", "Bo", key="T1/1", to="Bo")
    floor.does("hand-over", key="T1/1", to="Bo")
    assert floor.one().owner == "Bo"
    floor.does("give-back", "Bo", key="T1/1")
    assert (floor.one().owner, floor.one().state) == ("", "new")


def test_who_takes_a_call_is_told_to_the_table(floor: Floor) -> None:
    floor.hand_is(floor="called", dealer="Dee")
    alert = floor.one("T1/call")
    assert (alert.kind, alert.priority, alert.action, alert.by) == ("call", 1, "go", "Dee")
    floor.does("take", key="T1/call")
    ((table, command),) = floor.commands("coming")
    assert (table, command.actor, command.hand) == ("T1", "Ann", 7)
    floor.answers(command)
    floor.hand_is(floor="coming", floor_by="Ann")
    assert floor.one("T1/call").owner == "Ann"
    floor.hand_is(8)
    assert floor.alerts() == {}


def test_a_finding_that_stops_the_table_is_no_second_call(floor: Floor) -> None:
    floor.alert("T1", 1)
    floor.hand_is(floor="called")
    assert set(floor.alerts()) == {"T1/1"}


def test_a_call_that_was_seen_to_is_quiet_until_there_is_another(floor: Floor) -> None:
    floor.hand_is(floor="called")
    floor.does("close", key="T1/call")
    floor.hand_is(floor="called", pot=5)
    assert floor.alerts() == {}
    floor.hand_is(8)
    floor.hand_is(8, floor="called")
    assert set(floor.alerts()) == {"T1/call"}


def test_only_a_table_in_play_that_stays_away_asks_for_somebody(floor: Floor) -> None:
    floor.table("T1", "lost")
    floor.passes(PATIENCE_MS - 1_000)
    assert floor.alerts() == {}
    floor.passes(1_000)
    assert (floor.one("T1/lost").priority, floor.one("T1/lost").action) == (2, "table")
    floor.table("T1")
    assert floor.alerts() == {}
    floor.hand_is(is_open=False)
    floor.table("T1", "lost")
    floor.passes(2 * PATIENCE_MS)
    assert floor.alerts() == {}


def test_a_link_that_needs_a_person_does(floor: Floor) -> None:
    floor.ails("the reader of seat 3 is silent")
    floor.passes(PATIENCE_MS)
    assert floor.one("T1/reader").title == "the reader of seat 3 is silent"
    floor.does("close", key="T1/reader")
    floor.passes(2_000)
    assert floor.alerts() == {}
    floor.ails("the reader of the muck is silent")
    floor.passes(1_000)
    assert floor.one("T1/reader").title == "the reader of the muck is silent"
    floor.ails()
    assert floor.alerts() == {}


def test_a_finding_is_not_closed_by_hand(floor: Floor) -> None:
    floor.alert("T1", 1)
    with pytest.raises(ActError, match="closed by its table"):
        floor.does("close", key="T1/1")


def test_a_test_goes_by_itself_and_escalates_to_nobody(floor: Floor) -> None:
    floor.does("test", table="T1")
    (alert,) = floor.alerts().values()
    assert (alert.kind, alert.priority, alert.by) == ("test", 1, "Ann")
    floor.passes(119_000)
    assert floor.alerts()[alert.key].level == 0
    floor.passes(1_000)
    assert floor.alerts() == {}


# --- shelving ---


def test_shelving_has_a_reason_an_end_and_a_limit(floor: Floor) -> None:
    floor.alert("T1", 1, prio=2)
    with pytest.raises(ActError, match="reason"):
        floor.does("shelve", key="T1/1", minutes=5)
    with pytest.raises(ActError, match="15 minutes at most"):
        floor.does("shelve", key="T1/1", minutes=16, reason="busy")
    for _ in range(2):
        floor.does("shelve", key="T1/1", minutes=5, reason="busy")
        floor.passes(5 * MINUTE - 1_000)
        shelf = floor.one().shelf
        assert shelf is not None
        assert (shelf.by, shelf.reason, floor.one().level) == ("Ann", "busy", 0)
        floor.passes(1_000)
        assert floor.one().shelf is None
    with pytest.raises(ActError, match="snoozed 2 times"):
        floor.does("shelve", key="T1/1", minutes=1, reason="busy")


def test_what_stops_a_table_is_never_shelved(floor: Floor) -> None:
    floor.alert("T1", 1, prio=1)
    with pytest.raises(ActError, match="can't be snoozed"):
        floor.does("shelve", key="T1/1", minutes=1, reason="busy")
    floor.alert("T1", 2, prio=2)
    floor.does("shelve", key="T1/2", minutes=1, reason="busy")
    floor.alert("T1", 2, prio=1)
    assert floor.one("T1/2").shelf is None


# --- decisions ---


def test_a_ruling_is_the_tables_word_and_may_be_amended_until_the_riffle(floor: Floor) -> None:
    floor.alert("T1", 1)
    floor.decides("ruling", finding=1, outcome="stands")
    assert floor.one().state == "new"
    ((_, command),) = floor.commands("ruling")
    floor.happens(Ruling(2.0, 7, 1, STANDS))
    floor.happens(Closed(2.0, 7, 1, "ruled"))
    floor.closes("T1", 1)
    floor.answers(command)
    assert floor.alerts() == {}
    (ruled,) = floor.room.view().shift.ruled
    assert ruled.made is not None
    assert (ruled.made.outcome, ruled.made.by, ruled.amendable) == ("stands", "Ann", True)
    with pytest.raises(OrderError, match="Ann has already ruled: stands; you may amend it"):
        floor.decides("ruling", "Bo", finding=1, outcome="dead-hand")
    floor.decides("ruling", "Bo", finding=1, outcome="dead-hand", amend=True)
    floor.answers(floor.commands("ruling")[1][1])
    (again,) = floor.room.view().shift.ruled
    assert again.made is not None
    assert (again.made.outcome, again.made.by) == ("dead-hand", "Bo")
    floor.hand_is(8)
    assert floor.room.view().shift.ruled == ()


def test_a_ruling_at_the_table_is_known_too(floor: Floor) -> None:
    floor.alert("T1", 1)
    floor.happens(Ruling(2.0, 7, 1, STANDS))
    floor.happens(Closed(2.0, 7, 1, "ruled"))
    floor.closes("T1", 1)
    (ruled,) = floor.room.view().shift.ruled
    assert ruled.made is not None
    assert (ruled.made.outcome, ruled.made.by) == ("stands", "")
    floor.happens(Ruling(3.0, 7, 1, replace(STANDS, outcome="dead-hand")))
    floor.happens(Closed(3.0, 7, 1, "ruled"))
    floor.closes("T1", 1)
    (again,) = floor.room.view().shift.ruled
    assert again.made is not None
    assert again.made.outcome == "dead-hand"


@pytest.mark.parametrize("second", ["ruling", "dismiss", "misdeal"])
def test_one_decision_at_a_time(floor: Floor, second: str) -> None:
    floor.alert("T1", 1)
    floor.decides("ruling", finding=1, outcome="stands")
    fields: dict[str, dict[str, object]] = {
        "ruling": {"finding": 1, "outcome": "stands"},
        "dismiss": {"finding": 1},
    }
    with pytest.raises(OrderError, match="Ann's decision is on its way"):
        floor.decides(second, "Bo", **fields.get(second, {}))
    ((_, command),) = floor.commands("ruling")
    floor.answers(command, ok=False, reason="hand")
    assert floor.one().refused == "hand"
    floor.decides(second, "Bo", **fields.get(second, {}))
    assert len(floor.commands("ruling") + floor.commands(second)) >= 2


def test_a_table_that_does_not_answer_is_told_again(floor: Floor) -> None:
    floor.alert("T1", 1)
    floor.decides("dismiss", finding=1)
    floor.passes(6_000)
    assert floor.one().refused == "no answer from table T1"
    floor.decides("dismiss", finding=1)
    assert ("unanswered", "Ann") in floor.happened()


@pytest.mark.parametrize("how", ["remedied", "expired", "dismissed"])
def test_how_it_ended_is_the_tables_word(floor: Floor, how: Any) -> None:  # noqa: ANN401
    floor.alert("T1", 1)
    floor.happens(Closed(2.0, 7, 1, how))
    floor.closes("T1", 1)
    assert floor.room.view().shift.news[0].act == how
    assert floor.room.view().shift.ruled == ()


def test_alerts_stay_while_a_table_or_the_broker_is_away(floor: Floor) -> None:
    floor.alert("T1", 1)
    floor.does("take", key="T1/1")
    floor.room.link(False)
    floor.passes(20_000)
    floor.room.link(True)
    floor.table("T1")
    floor.passes(1_000)
    assert floor.one().owner == "Ann"
    floor.alert("T1", 1)
    floor.passes(5_000)
    assert floor.one().owner == "Ann"
    floor.comes_back()
    floor.passes(5_000)
    assert floor.alerts() == {}


def test_running_mutes_are_the_tables_word(floor: Floor) -> None:
    floor.decides("mute", code="burn-missing", hands=3, zone="burn", reason="new reader")
    floor.answers(floor.commands("mute")[0][1])
    assert floor.room.view().shift.mutes == ()
    floor.hand_is(silent=(Silence("burn-missing", "burn", 9), Silence(zone="seat/4")))
    mute, suspect = floor.room.view().shift.mutes
    assert (mute.code, mute.zone, mute.until, mute.left) == ("burn-missing", "burn", 9, 3)
    assert (mute.by, mute.reason) == ("Ann", "new reader")
    assert (suspect.code, suspect.zone, suspect.until) == ("", "seat/4", None)


# --- whatever is done ---

PEOPLE = st.sampled_from(["Ann", "Bo", "Cy"])
KEYS = st.sampled_from(["T1/1", "T1/2", "T1/3", "T1/call", "none"])
STEPS = st.one_of(
    st.tuples(st.just("take"), PEOPLE, st.fixed_dictionaries({"key": KEYS, "over": st.booleans()})),
    st.tuples(st.just("give-back"), PEOPLE, st.fixed_dictionaries({"key": KEYS})),
    st.tuples(st.just("hand-over"), PEOPLE, st.fixed_dictionaries({"key": KEYS, "to": PEOPLE})),
    st.tuples(
        st.just("shelve"),
        PEOPLE,
        st.fixed_dictionaries(
            {"key": KEYS, "minutes": st.integers(1, 15), "reason": st.just("busy")}
        ),
    ),
    st.tuples(st.just("unshelve"), PEOPLE, st.fixed_dictionaries({"key": KEYS})),
    st.tuples(st.just("close"), PEOPLE, st.fixed_dictionaries({"key": KEYS})),
    st.tuples(st.just("duty"), PEOPLE, st.fixed_dictionaries({"on": st.booleans()})),
    st.tuples(st.just("shift"), PEOPLE, st.fixed_dictionaries({"to": PEOPLE})),
    st.tuples(
        st.sampled_from(["passes", "alert", "closes", "graver", "link"]),
        st.just(""),
        st.fixed_dictionaries({"n": st.integers(1, 3)}),
    ),
)


def step(floor: Floor, name: str, actor: str, fields: dict[str, Any]) -> None:
    number = fields.get("n", 0)
    told: dict[str, Callable[[], None]] = {
        "passes": lambda: floor.passes(number * 20_000),
        "alert": lambda: floor.alert("T1", number, prio=number),
        "graver": lambda: floor.alert("T1", number, prio=1),
        "closes": lambda: floor.closes("T1", number),
        "link": floor.comes_back,
    }
    if name in told:
        told[name]()
        return
    with suppress(ActError):
        floor.does(name, actor, **fields)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(STEPS, max_size=25))
def test_no_act_loses_an_alert_or_leaves_two_owners(steps: list[Any]) -> None:
    floor = Floor()
    floor.hand_is(floor="called")
    for each in steps:
        step(floor, *each)
        view = floor.room.view()
        keys = [alert.key for alert in view.shift.alerts]
        assert len(keys) == len(set(keys))
        (table,) = view.tables
        wanted = {f"T1/{finding}" for finding in table.alerts}
        assert wanted <= set(keys)
        on_duty = {person.name for person in view.shift.people}
        for alert in view.shift.alerts:
            assert bool(alert.owner) == (alert.taken_ms is not None)
            assert alert.priority > 1 or alert.shelf is None
            assert alert.shelvings <= 2
            called = view.shift.calls[alert.key]
            assert set(called) <= on_duty | {alert.owner}
            if alert.owner and alert.alone_ms is not None:
                assert alert.owner not in on_duty


def test_who_comes_to_a_table_has_what_nobody_has_there(floor: Floor) -> None:
    floor.alert("T1", 1)
    floor.alert("T1", 2, prio=2)
    floor.alert("T1", 3, prio=3)
    floor.does("take", "Bo", key="T1/1")
    ((_, first),) = floor.commands("coming")
    assert (first.actor, first.finding) == ("Bo", 1)
    floor.answers(first)
    floor.decides("coming", "Ann")
    floor.answers(floor.commands("coming")[1][1])
    assert [each.owner for each in floor.alerts().values()] == ["Bo", "Ann", ""]


def test_a_table_that_refuses_to_be_told_who_comes_says_why(floor: Floor) -> None:
    floor.alert("T1", 1)
    floor.does("take", key="T1/1")
    floor.answers(floor.commands("coming")[0][1], ok=False, reason="hand")
    assert (floor.one().owner, floor.one().refused) == ("Ann", "hand")


def test_a_late_answer_counts(floor: Floor) -> None:
    floor.alert("T1", 1)
    floor.decides("ruling", finding=1, outcome="stands")
    floor.passes(10_000)
    assert floor.one().refused == "no answer from table T1"
    floor.answers(floor.commands("ruling")[0][1])
    assert (floor.one().refused, floor.one().state) == ("", "ruled")
