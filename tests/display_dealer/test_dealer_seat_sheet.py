"""Seats are the handle: a tap on one opens all that can be entered of it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from controller.contract.view import TableView
from display.dealer.taps import tapped
from display.dealer.texts import Texts
from tests.display_dealer.bench import Bench
from tests.display_dealer.test_dealer_floor import enabled, look, screen_of

ReadView = Callable[[str], TableView]


def press(button: str, **fields: object) -> dict[str, object]:
    return {"kind": "press", "seat": 9, "button": button, "by": "dealer", **fields}


@pytest.mark.parametrize(
    ("taps", "line"),
    [
        ("did:fold", press("fold")),
        ("did:call", press("call")),
        ("did:check", press("check")),
        ("did:all-in", press("all-in")),
        ("did:raise key:4 enter", press("raise", amount=4)),
        ("clock", {"kind": "dealer", "input": "clock", "seat": 9}),
        ("away", {"kind": "seat", "seat": 9, "status": "absent"}),
        (
            "exposed card:1:dealer",
            {"kind": "dealer", "input": "exposed", "seat": 9, "nth": 1, "cause": "dealer"},
        ),
    ],
)
def test_an_action_for_a_seat_takes_two_taps_and_a_raise_four(
    bench: Bench, read_view: ReadView, taps: str, line: dict[str, object]
) -> None:
    bench.show(read_view("flop_betting"))
    made = ["pick-seat:9", *taps.split()]
    for one in made:
        assert bench.table.lines() == []
        bench.tap(one)
    assert bench.table.lines() == [line]
    assert len(made) <= (4 if "key:" in taps else 3 if len(taps.split()) == 2 else 2)


def test_how_much_an_all_in_is_is_asked_only_where_nobody_knows(read_view: ReadView) -> None:
    view = read_view("flop_betting")
    sheet = replace(look(view), asking="seat", seat=9)
    seats = tuple(replace(one, stack=None) for one in view.seats)
    after, said = tapped(sheet, replace(view, seats=seats), "did:all-in")
    assert (after.asking, said) == ("amount", None)


def test_between_hands_a_seat_goes_out_or_comes_back(
    bench: Bench, read_view: ReadView, texts: Texts
) -> None:
    view = read_view("between_hands")
    seat = view.seats[0].seat
    bench.show(view)
    bench.tap(f"pick-seat:{seat}")
    bench.tap("seat-out")
    assert bench.table.lines() == [{"kind": "seat", "seat": seat, "status": "empty"}]
    away = replace(view, absent=(seat,))
    sheet = replace(look(away), asking="seat", seat=seat)
    assert enabled(screen_of(away, sheet, texts))["away"] == "Back"
    assert "did:fold" not in enabled(screen_of(away, sheet, texts))


def test_who_has_no_chips_left_is_out_with_one_tap(
    bench: Bench, read_view: ReadView, texts: Texts
) -> None:
    view = read_view("between_hands")
    seats = [one.seat for one in view.seats]
    assert "broke" not in enabled(screen_of(view, look(view), texts))
    one = replace(view, broke=(seats[0],))
    assert enabled(screen_of(one, look(one), texts))["broke"] == f"Seat {seats[0]} is out"
    two = replace(view, broke=(seats[0], seats[2]))
    shown = enabled(screen_of(two, look(two), texts))
    assert (shown["new-hand"], shown["broke"]) == (
        "New hand",
        f"Out: {seats[0]}, {seats[2]}",
    )
    bench.show(two)
    bench.tap("broke")
    assert bench.table.lines() == [
        {"kind": "seat", "seat": seat, "status": "empty"} for seat in (seats[0], seats[2])
    ]


def test_who_was_said_to_be_out_may_come_back(
    bench: Bench, read_view: ReadView, texts: Texts
) -> None:
    view = read_view("between_hands")
    seat = view.seats[0].seat
    back = replace(view, gone=(seat,))
    sheet = replace(look(back), asking="seat", seat=seat)
    assert enabled(screen_of(back, sheet, texts))["seat-out"] == "Not out"
    bench.show(back)
    bench.tap(f"pick-seat:{seat}")
    bench.tap("seat-out")
    assert bench.table.lines() == [{"kind": "seat", "seat": seat, "status": "seated"}]


def test_its_head_says_whose_it_is_and_that_a_press_is_missing(
    texts: Texts, read_view: ReadView
) -> None:
    view = read_view("presses_missing")
    seat = view.unpressed[0]
    screen = screen_of(view, replace(look(view), asking="seat", seat=seat), texts)
    title = next(one.text for one in screen.labels if one.region == "dialog-title")
    assert title.startswith(f"Seat {seat}")
    assert title.endswith(texts("unpressed"))


def test_at_showdown_it_tables_the_hand(bench: Bench, read_view: ReadView) -> None:
    bench.show(read_view("showdown"))
    bench.tap("pick-seat:7")
    bench.tap("tabled")
    assert bench.table.lines() == [{"kind": "dealer", "input": "tabled", "seat": 7}]
