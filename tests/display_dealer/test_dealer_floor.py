"""A floorperson at the dealer's screen: PIN, ruling, signing out; and the state of a call."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest
from msgspec.structs import replace

from controller.contract.events import OUTCOMES
from controller.contract.observations import decode, is_floor_input
from controller.contract.sight import CalledOn
from controller.contract.view import TableView
from display.dealer.arriving import arrived
from display.dealer.connection import Connection
from display.dealer.floor_taps import choices, pages
from display.dealer.looking import Line, Looking
from display.dealer.model import build
from display.dealer.screen import Screen
from display.dealer.taps import lines, tapped
from display.dealer.texts import Texts
from tests.display_dealer.bench import Bench

ReadView = Callable[[str], TableView]


def screen_of(view: TableView, looking: Looking, texts: Texts) -> Screen:
    return build(view, looking, Connection(cause=""), texts, now=75.0, languages={})


def enabled(screen: Screen) -> dict[str, str]:
    return {button.id: button.label for button in screen.buttons if button.enabled}


def look(view: TableView) -> Looking:
    return arrived(Looking(), None, view, 0.0)


def tap(view: TableView, looking: Looking, taps: str, texts: Texts) -> tuple[Looking, list[Line]]:
    """Taps what is there to be tapped, and returns what was sent."""
    sent: list[Line] = []
    for one in taps.split():
        assert one in enabled(screen_of(view, looking, texts)), one
        looking, said = tapped(looking, view, one)
        sent += lines(said)
    return looking, sent


PIN = "floor key:0 key:8 key:1 key:5 enter"
LOGIN = {"kind": "floor-login", "name": "Ann", "pin": "0815"}


def test_after_the_pin_one_tap_rules(texts: Texts, read_view: ReadView) -> None:
    view = replace(read_view("four_card_flop_uk"), floor_names=("Ann",))
    looking, lines = tap(view, look(view), PIN, texts)
    assert lines == [LOGIN]
    assert looking.typed == ""
    there = replace(view, floor_in="Ann")
    looking = arrived(looking, view, there, 1.0)
    own = view.findings[0].ruling.outcome
    looking, lines = tap(there, looking, f"floor-outcome:{own}", texts)
    ruling = {"kind": "floor", "input": "ruling", "finding": 3, "outcome": own}
    assert lines == [ruling]
    assert looking.asking == ""
    assert is_floor_input(decode(msgspec.json.encode({**ruling, "t": 1.0})))
    # As long as the sign-in holds it is two taps.
    assert tap(there, looking, f"floor floor-outcome:{own}", texts)[1] == [ruling]


@pytest.mark.parametrize(
    ("taps", "line"),
    [
        ("floor floor-dismiss", {"input": "dismiss", "finding": 3}),
        ("floor floor-misdeal", {"input": "misdeal"}),
        ("floor floor-page:1 floor-outcome:binding", {"input": "ruling", "outcome": "binding"}),
        ("call-floor floor-rule floor-dismiss", {"input": "dismiss", "finding": 3}),
        ("call-floor floor-clock-cancel", {"input": "clock-cancel"}),
        ("call-floor floor-sign-out", {"kind": "floor-logout"}),
        ("to-table more floor floor-misdeal", {"input": "misdeal"}),
    ],
)
def test_what_else_the_floor_decides(
    taps: str, line: dict[str, object], texts: Texts, read_view: ReadView
) -> None:
    view = replace(
        read_view("four_card_flop_uk"), floor_in="Ann", clock=CalledOn(seat=3, until=90.0)
    )
    _, lines = tap(view, look(view), taps, texts)
    assert len(lines) == 1
    assert lines[0].items() >= {"kind": "floor", **line}.items()
    assert "by" not in lines[0]


def test_every_outcome_is_offered_once_the_books_own_first(read_view: ReadView) -> None:
    finding = read_view("four_card_flop_uk").findings[0]
    for name in OUTCOMES:
        ruling = replace(finding.ruling, outcome=name, advisory=None)
        if name == "floor":
            advised = replace(finding.ruling, outcome="stands")
            ruling = replace(ruling, advisory=advised)
        known = choices(replace(finding, ruling=ruling))
        assert known[0] == ("stands" if name == "floor" else name)
        assert sorted(known) == sorted({*OUTCOMES} - {"floor", *({"misdeal"} - {name})})
        first, more = pages(replace(finding, ruling=ruling))
        assert (*first, *more) == known


def test_a_wrong_pin_is_said_and_too_many_wait(texts: Texts, read_view: ReadView) -> None:
    view = replace(read_view("four_card_flop_uk"), floor_names=("Ann",), floor_wrong=1)

    def title(state: TableView) -> str:
        return next(
            label.text
            for label in screen_of(state, looking, texts).labels
            if label.region == "dialog-title"
        )

    looking, _ = tap(view, look(view), "floor", texts)
    assert title(view) == "Ann, PIN: …"
    looking, _ = tap(view, looking, "key:1 key:2", texts)
    assert title(view) == "Ann, PIN: ••"
    assert "enter" not in enabled(screen_of(view, looking, texts))
    looking, _ = tap(view, looking, "key:3 key:4 key:5 erase enter", texts)
    wrong = replace(view, floor_wrong=2)
    looking = arrived(looking, view, wrong, 1.0)
    assert title(wrong) == texts("floor-wrong")
    waits = replace(wrong, floor_wrong=3, floor_wait=60.0)
    looking = arrived(looking, wrong, waits, 1.0)
    assert title(waits) == texts("floor-wait")
    assert not [id for id in enabled(screen_of(waits, looking, texts)) if id.startswith("key")]
    assert repr(replace(looking, typed="4711")).find("4711") < 0


def test_several_names_are_chosen_from(texts: Texts, read_view: ReadView) -> None:
    view = replace(read_view("flop_betting"), floor_names=("Ann", "Eve"))
    taps = "more floor pick-floor:1 key:4 key:7 key:1 key:1 enter"
    looking, lines = tap(view, look(view), taps, texts)
    assert lines == [{"kind": "floor-login", "name": "Eve", "pin": "4711"}]
    there = replace(view, floor_in="Eve")
    assert arrived(looking, view, there, 1.0).asking == "floor-desk"


def test_who_is_signed_in_is_always_to_be_seen(texts: Texts, read_view: ReadView) -> None:
    view = replace(read_view("four_card_flop_uk"), floor_in="Ann", floor="called")
    for asking in ("", "more", "dismiss", "floor-rule"):
        screen = screen_of(view, replace(look(view), asking=asking), texts)
        assert enabled(screen)["call-floor"] == "Floor: Ann"
    looking = replace(look(view), asking="floor-rule")
    gone = replace(view, floor_in=None)
    assert arrived(looking, view, gone, 1.0).asking == ""
    assert arrived(looking, view, replace(view, findings=()), 1.0).asking == ""
    assert arrived(looking, view, view, 1.0).asking == "floor-rule"


def test_without_anybody_who_could_sign_in_there_is_no_button(
    texts: Texts, read_view: ReadView
) -> None:
    for name in ("four_card_flop_uk", "question_burn"):
        view = read_view(name)
        assert "floor" not in enabled(screen_of(view, look(view), texts))
        view = replace(view, floor_names=("Ann",))
        assert "floor" in enabled(screen_of(view, look(view), texts))
        more = replace(look(view), asking="more")
        assert "floor" in enabled(screen_of(view, more, texts))


def test_a_call_is_sent_then_heard_then_answered(texts: Texts, read_view: ReadView) -> None:
    view = read_view("flop_betting")
    said = []
    for fields in (
        {"floor": "called", "floor_heard": False},
        {"floor": "called", "floor_heard": True},
        {"floor": "coming"},
        {"floor": "coming", "floor_by": "Ann"},
    ):
        state = msgspec.structs.replace(view, **fields)
        looking = arrived(look(view), view, state, 10.0)
        button = screen_of(state, looking, texts).buttons[-1]
        assert button.id == "call-floor"
        assert "1:05" in button.label
        said.append((button.label, button.style))
    assert len({label for label, _ in said}) == 4
    assert [style for _, style in said] == [
        "floor-called",
        "floor-heard",
        "floor-coming",
        "floor-coming",
    ]


def test_fingers_on_the_pad(bench: Bench, read_view: ReadView) -> None:
    view = replace(read_view("question_burn"), floor_names=("Ann",))
    bench.show(view)
    for one in PIN.split():
        bench.tap(one)
    assert bench.table.lines() == [LOGIN]
    bench.show(replace(view, floor_in="Ann"))
    bench.tap("floor-dismiss")
    assert bench.table.lines() == [{"kind": "floor", "input": "dismiss", "finding": 5}]
