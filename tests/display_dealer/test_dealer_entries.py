"""Entries within two taps, players away and back, sensors off, and what a dismissal means."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest
from msgspec.structs import replace

from controller.contract.observations import SeatChange, decode
from controller.contract.sight import Silence
from controller.contract.view import TableView
from display.dealer.arriving import NOTICED_S, arrived, passed
from display.dealer.looking import Looking
from display.dealer.taps import tapped
from display.dealer.texts import Texts
from tests.display_dealer.bench import Bench
from tests.display_dealer.test_dealer_floor import enabled, look, screen_of

ReadView = Callable[[str], TableView]

ARGUMENTS = ("pick-seat:", "card:", "did:", "key:", "no-amount", "enter", "elsewhere")
"""What is said of an entry: whose it is, which card, how much."""


@pytest.mark.parametrize(
    ("name", "taps"),
    [
        ("flop_betting", "pick-seat:4 exposed card:1:dealer"),
        ("flop_betting", "more boxed elsewhere"),
        ("flop_betting", "pick-seat:9 did:raise key:9 enter"),
        ("flop_betting", "pick-seat:9 clock"),
        ("flop_betting", "pick-seat:9 away"),
        ("flop_betting", "more reshuffled"),
        ("flop_betting", "round-closed"),
        ("showdown", "award"),
        ("showdown", "tabled pick-seat:7"),
        ("flop_betting", "call-floor"),
        ("waiting", "new-hand"),
        ("flop_betting", "misdeal misdeal-yes"),
        ("four_card_flop_uk", "done"),
        ("four_card_flop_uk", "dismiss reason:misread"),
    ],
)
def test_an_entry_is_two_taps_and_one_for_each_thing_said_of_it(
    name: str, taps: str, texts: Texts, read_view: ReadView
) -> None:
    view = read_view(name)
    looking, sent = look(view), None
    made = taps.split()
    for one in made:
        assert sent is None
        assert one in enabled(screen_of(view, looking, texts)), one
        looking, sent = tapped(looking, view, one)
    assert sent is not None
    assert len([one for one in made if not one.startswith(ARGUMENTS)]) <= 2
    if looking.undoable:
        assert "undo" in enabled(screen_of(view, looking, texts))


def test_away_and_back(texts: Texts, read_view: ReadView) -> None:
    view = read_view("flop_betting")
    looking = replace(look(view), asking="seat", seat=4)
    assert enabled(screen_of(view, looking, texts))["away"] == "Away"
    after, line = tapped(looking, view, "away")
    assert line == {"kind": "seat", "seat": 4, "status": "absent"}
    assert (after.asking, after.undoable) == ("", False)
    assert isinstance(decode(msgspec.json.encode({**line, "t": 1.0})), SeatChange)
    back = replace(view, absent=(4,))
    assert enabled(screen_of(back, looking, texts))["away"] == "Back"
    assert tapped(looking, back, "away")[1] == {"kind": "seat", "seat": 4, "status": "present"}


def test_an_action_is_entered_for_who_is_live_absent_or_asked_about(
    texts: Texts, read_view: ReadView
) -> None:
    view = read_view("big_blind_to_act")

    def may_act(view: TableView, seat: int) -> bool:
        sheet = replace(look(view), opened=None, asking="seat", seat=seat)
        return "did:fold" in enabled(screen_of(view, sheet, texts))

    states = {seat.seat: seat.state for seat in view.seats}
    live = {seat for seat, state in states.items() if state == "live"}
    assert {seat for seat in states if may_act(view, seat)} == live | set(view.absent)
    folded = next(s for s, state in states.items() if state == "folded" and s not in view.absent)
    finding = replace(read_view("question_burn").findings[0], seats=(folded,))
    assert may_act(replace(view, findings=(finding,)), folded)


def test_sensors_off_is_asked_and_on_is_not(bench: Bench, read_view: ReadView) -> None:
    view = read_view("flop_betting")
    bench.show(view)
    for one in ("more", "sensors", "sensors-no", "more", "sensors", "sensors-yes"):
        assert bench.table.lines() == []
        bench.tap(one)
    assert bench.table.lines() == [{"kind": "sensors", "on": False}]
    bench.show(replace(view, sensors=False))
    bench.tap("more")
    bench.tap("sensors")
    assert bench.table.lines() == [{"kind": "sensors", "on": True}]


def test_a_dismissal_says_what_it_means_for_some_seconds(texts: Texts, read_view: ReadView) -> None:
    view = read_view("flop_betting")

    def said(looking: Looking) -> str:
        return enabled(screen_of(view, looking, texts)).get("note", "")

    once = replace(view, doubted=(("seat/3", 1),))
    first = arrived(look(view), view, once, 10.0)
    assert said(first) == "Seat 3: 2 more, then recorded only"
    assert said(passed(first, 10.0 + NOTICED_S - 0.1)) == said(first)
    assert said(passed(first, 10.0 + NOTICED_S)) == ""
    assert said(tapped(first, view, "note")[0]) == ""
    assert said(arrived(look(once), once, once, 11.0)) == ""
    twice = replace(view, doubted=(("seat/3", 2),))
    assert said(arrived(look(once), once, twice, 12.0)).startswith("Seat 3: 1 more")
    thrice = replace(view, doubted=(("seat/3", 3),), silent=(Silence(zone="seat/3"),))
    third = arrived(look(twice), twice, thrice, 13.0)
    assert said(third) == "Seat 3: recorded only until checked"
    assert said(arrived(look(thrice), thrice, once, 14.0)) == ""


def test_no_notice_before_a_table_was_seen(read_view: ReadView) -> None:
    view = replace(read_view("flop_betting"), doubted=(("burn", 2),))
    assert look(view).notice is None
