"""The entries behind *More*: what no sensor sees."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest
from msgspec.structs import replace

from controller.contract.observations import Press, decode, is_dealer_input
from controller.contract.view import TableView
from display.dealer.arriving import arrived
from display.dealer.connection import Connection
from display.dealer.dialog import MENU
from display.dealer.looking import Looking
from display.dealer.model import build
from display.dealer.screen import Screen
from display.dealer.taps import LONGEST, tapped
from display.dealer.texts import Texts

ReadView = Callable[[str], TableView]


def look(view: TableView) -> Looking:
    return arrived(Looking(), None, view, 0.0)


def screen_of(view: TableView, looking: Looking, texts: Texts) -> Screen:
    return build(view, looking, Connection(cause=""), texts, now=75.0, languages={})


def enabled(screen: Screen) -> set[str]:
    return {button.id for button in screen.buttons if button.enabled}


def dealer(entry: str, **fields: object) -> dict[str, object]:
    return {"kind": "dealer", "input": entry, **fields}


def press(button: str, **fields: object) -> dict[str, object]:
    return {"kind": "press", "seat": 9, "button": button, "by": "dealer", **fields}


@pytest.mark.parametrize(
    ("taps", "line"),
    [
        ("boxed pick-seat:4 card:2", dealer("boxed", seat=4, nth=2)),
        ("boxed elsewhere", dealer("boxed")),
        ("reshuffled", dealer("reshuffled")),
        ("unwatched unwatched-yes", dealer("unwatched")),
        ("sign-in key:A key:N key:space key:L key:E key:E enter", dealer("sign-in", name="An Lee")),
    ],
)
def test_the_menu_enters_what_no_sensor_sees(
    taps: str, line: dict[str, object], texts: Texts, read_view: ReadView
) -> None:
    view = read_view("flop_betting")
    looking, sent = look(view), None
    for tap in ["more", *taps.split()]:
        assert sent is None
        assert tap in enabled(screen_of(view, looking, texts))
        looking, sent = tapped(looking, view, tap)
    assert sent == line
    assert (looking.asking, looking.typed, looking.undoable) == ("", "", True)
    observation = decode(msgspec.json.encode({**line, "t": 1.0}))
    assert isinstance(observation, Press) or is_dealer_input(observation)


def test_the_menu_offers_what_the_moment_allows(texts: Texts, read_view: ReadView) -> None:
    def offered(view: TableView) -> set[str]:
        return enabled(screen_of(view, replace(look(view), asking="more"), texts)) & set(MENU)

    always = {"boxed", "reshuffled", "unwatched", "sign-in"}
    assert offered(read_view("waiting")) == {"sign-in"}
    assert offered(read_view("mid_deal")) == always
    assert offered(read_view("flop_betting")) == always, "no award in mid-betting"
    assert offered(replace(read_view("flop_betting"), to_act=None)) == {*always, "award-now"}
    assert offered(read_view("showdown")) == {*always, "next-hand"}


def test_only_seats_that_can_be_meant_are_offered(texts: Texts, read_view: ReadView) -> None:
    view = read_view("flop_betting")
    screen = screen_of(view, replace(look(view), asking="boxed"), texts)
    picks = {one.removeprefix("pick-") for one in enabled(screen) if "pick" in one}
    bright = {plate.region for plate in screen.plates if plate.style == "plate-pick"}
    assert picks == bright
    assert len(picks) == 9
    assert {"elsewhere", "cancel"} < enabled(screen)


def test_nothing_is_entered_without_an_amount_or_a_name(texts: Texts, read_view: ReadView) -> None:
    view = read_view("flop_betting")
    for asking in ("amount", "sign-in"):
        looking = replace(look(view), asking=asking, seat=9, act="bet")
        assert not {"enter", "erase"} & enabled(screen_of(view, looking, texts))
        assert tapped(looking, view, "enter") == (looking, None)
    for asking, keys in (("amount", "9"), ("sign-in", "W")):
        looking = replace(look(view), asking=asking, seat=9, act="bet")
        for _ in range(50):
            looking, _line = tapped(looking, view, f"key:{keys}")
        assert len(looking.typed) == LONGEST[asking]


def test_a_menu_gives_way_to_an_irregularity_and_to_the_next_hand(read_view: ReadView) -> None:
    calm = replace(read_view("four_card_flop_roberts"), findings=())
    alarm = read_view("four_card_flop_roberts")
    for asking in ("more", "seat", "boxed-card", "amount", "sign-in"):
        looking = replace(look(calm), asking=asking)
        assert arrived(looking, calm, replace(calm, pot=5), 1.0).asking == asking
        assert arrived(looking, calm, alarm, 1.0).asking == ""
        next_hand = arrived(looking, calm, replace(calm, hand=99), 1.0)
        assert next_hand.asking == (asking if asking in ("more", "sign-in") else "")
    looking = replace(look(calm), asking="seat")
    assert arrived(looking, calm, replace(calm, phase="turn"), 1.0).asking == "seat"
    amount = replace(looking, asking="amount")
    assert arrived(amount, calm, replace(calm, phase="turn"), 1.0) == look(calm)
