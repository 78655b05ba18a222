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
from display.dealer.looking import Asking, Looking
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
        ("exposed pick-seat:4 card:1:dealer", dealer("exposed", seat=4, nth=1, cause="dealer")),
        ("exposed pick-seat:5 card:2:player", dealer("exposed", seat=5, nth=2, cause="player")),
        ("boxed pick-seat:4 card:2", dealer("boxed", seat=4, nth=2)),
        ("boxed elsewhere", dealer("boxed")),
        ("clock pick-seat:9", dealer("clock", seat=9)),
        ("reshuffled", dealer("reshuffled")),
        ("unwatched unwatched-yes", dealer("unwatched")),
        ("act pick-seat:9 did:check", press("check")),
        ("act pick-seat:9 did:call", press("call")),
        ("act pick-seat:9 did:fold", press("fold")),
        ("act pick-seat:9 did:bet no-amount", press("bet")),
        ("act pick-seat:9 did:raise key:0 key:1 key:2 key:00 enter", press("raise", amount=1200)),
        ("act pick-seat:9 did:all-in key:7 key:5 erase key:0 enter", press("all-in", amount=70)),
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
    def offered(name: str) -> set[str]:
        view = read_view(name)
        return enabled(screen_of(view, replace(look(view), asking="more"), texts)) & set(MENU)

    assert offered("waiting") == {"sign-in"}
    assert offered("mid_deal") == set(MENU) - {"act", "clock"}
    assert offered("flop_betting") == set(MENU)


def test_only_seats_that_can_be_meant_are_offered(texts: Texts, read_view: ReadView) -> None:
    view = read_view("flop_betting")

    def seats(asking: Asking) -> set[str]:
        screen = screen_of(view, replace(look(view), asking=asking), texts)
        picks = {one.removeprefix("pick-") for one in enabled(screen) if "pick" in one}
        bright = {plate.region for plate in screen.plates if plate.style == "plate-pick"}
        assert picks == bright
        return picks

    assert seats("act") == seats("clock") == {"seat:3", "seat:4", "seat:5", "seat:9"}
    assert len(seats("exposed")) == 9
    boxed = screen_of(view, replace(look(view), asking="boxed"), texts)
    assert {"elsewhere", "cancel"} < enabled(boxed)


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
    for asking in ("more", "exposed", "boxed-card", "act-what", "amount", "sign-in", "clock"):
        looking = replace(look(calm), asking=asking)
        assert arrived(looking, calm, replace(calm, pot=5), 1.0).asking == asking
        assert arrived(looking, calm, alarm, 1.0).asking == ""
        next_hand = arrived(looking, calm, replace(calm, hand=99), 1.0)
        assert next_hand.asking == (asking if asking in ("more", "sign-in") else "")
    looking = replace(look(calm), asking="exposed")
    assert arrived(looking, calm, replace(calm, phase="turn"), 1.0).asking == "exposed"
    assert arrived(replace(looking, asking="act"), calm, replace(calm, phase="turn"), 1.0) == look(
        calm
    )
