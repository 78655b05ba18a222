"""What the table believes: what a deal has shown, a seat without cards, a press that is missing."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest
from msgspec.structs import replace

from controller.contract.observations import SeatChange, decode
from controller.contract.view import TableView
from display.dealer.alarms import Sounded, due
from display.dealer.connection import Connection
from display.dealer.screen import Plate
from display.dealer.taps import lines, tapped
from display.dealer.texts import Texts
from tests.display_dealer.bench import Bench
from tests.display_dealer.test_dealer_floor import enabled, look, screen_of
from tests.display_dealer.test_dealer_model import screen_of as connected

ReadView = Callable[[str], TableView]

UNDO = {"kind": "dealer", "input": "undo"}


def plate(view: TableView, seat: int, texts: Texts) -> Plate:
    return next(one for one in screen_of(view, look(view), texts).plates if one.number == seat)


def test_what_a_deal_has_shown_is_taken_back_with_one_tap(
    bench: Bench, read_view: ReadView
) -> None:
    view = read_view("taken_over")
    bench.show(view)
    assert bench.text("banner") == "Seat 9 is out. Button at seat 3"
    bench.tap("not-so")
    assert bench.table.lines() == [UNDO]
    bench.show(replace(view, prompt_id="act", prompt_args={"seat": 6}))
    assert "not-so" not in {button.id for button in bench.window.screen.buttons}


def test_beside_a_finding_it_is_taken_back_with_undo(texts: Texts, read_view: ReadView) -> None:
    view = replace(read_view("taken_over"), findings=read_view("record_only").findings)
    offered = enabled(screen_of(view, look(view), texts))
    assert "note" in offered
    assert "not-so" not in offered
    assert tapped(look(view), view, "undo")[1] == UNDO
    assert "undo" in offered
    later = replace(view, prompt_id="act", prompt_args={"seat": 6})
    assert "undo" not in enabled(screen_of(later, look(later), texts))


def test_nothing_is_taken_back_where_the_banner_says_something_else(
    texts: Texts, read_view: ReadView
) -> None:
    view = read_view("taken_over")
    lost = connected(view, look(view), texts, Connection("closed", 3.0))
    by_hand = connected(replace(view, sensors=False), look(view), texts)
    for screen in (lost, by_hand):
        assert "not-so" not in {button.id for button in screen.buttons}


@pytest.mark.parametrize(
    ("tap", "sent"),
    [
        ("yes", [{"kind": "dealer", "input": "confirm", "finding": 6}]),
        ("no", [{"kind": "dealer", "input": "dismiss", "finding": 6, "reason": "answered-no"}]),
        ("out", [{"kind": "seat", "seat": 9, "status": "empty"}]),
    ],
)
def test_a_seat_without_cards_is_out_forgotten_or_has_them(
    bench: Bench, read_view: ReadView, tap: str, sent: list[object]
) -> None:
    bench.show(read_view("question_dealt_out"))
    said = {button.id: button.label for button in bench.window.screen.buttons}
    assert (said["out"], said["yes"], said["no"]) == ("Out", "Not dealt", "Has two")
    bench.tap(tap)
    assert bench.table.lines() == sent


def test_several_seats_are_out_at_once(texts: Texts, read_view: ReadView) -> None:
    view = read_view("question_dealt_out")
    view = replace(view, findings=(replace(view.findings[0], seats=(6, 9)),))
    assert "out" in enabled(screen_of(view, look(view), texts))
    sent = lines(tapped(look(view), view, "out")[1])
    told = [decode(msgspec.json.encode({**line, "t": 1.0})) for line in sent]
    assert told == [SeatChange(t=1.0, seat=seat, status="empty") for seat in (6, 9)]


def test_another_question_is_answered_in_words_that_say_what_they_mean(
    texts: Texts, read_view: ReadView
) -> None:
    view = read_view("question_burn")
    offered = enabled(screen_of(view, look(view), texts))
    assert (offered["yes"], offered["no"]) == ("No burn", "I burned")
    assert "out" not in offered


def test_a_missing_press_is_said_quietly_at_the_seat(texts: Texts, read_view: ReadView) -> None:
    view = read_view("presses_missing")
    pressed = replace(view, unpressed=())
    assert [plate(view, seat, texts).word for seat in (3, 4)] == ["no press"] * 2
    assert [plate(view, seat, texts).quiet for seat in (3, 4, 5)] == [True, True, False]
    assert plate(view, 3, texts).style == plate(pressed, 3, texts).style == "plate"
    assert (plate(pressed, 3, texts).word, plate(pressed, 3, texts).quiet) == ("call", False)
    assert due(Sounded(), view, look(view), 5.0)[1] is None


@pytest.mark.parametrize("seat", [1, 7])
def test_nothing_is_missing_of_who_has_folded_or_is_all_in(
    texts: Texts, read_view: ReadView, seat: int
) -> None:
    view = read_view("flop_betting")
    assert plate(replace(view, unpressed=(seat,)), seat, texts) == plate(view, seat, texts)


def test_whose_turn_it_is_is_not_said_quietly(texts: Texts, read_view: ReadView) -> None:
    view = read_view("flop_betting")
    turn = plate(replace(view, unpressed=(9,)), 9, texts)
    assert (turn.style, turn.word, turn.quiet) == ("plate-turn", "to act", False)
