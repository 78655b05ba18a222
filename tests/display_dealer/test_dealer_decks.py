"""The dealer asks for another deck between two hands, at a table that has several."""

from __future__ import annotations

from msgspec.structs import replace

from controller.contract.view import TableView
from display.dealer.arriving import arrived
from display.dealer.connection import Connection
from display.dealer.looking import Looking
from display.dealer.model import build
from display.dealer.screen import Screen
from display.dealer.taps import tapped
from display.dealer.texts import Texts

TWO = TableView(table="T1", rulebook="roberts", deck="red", decks=("red", "blue"))
MENU, ASKED = Looking(asking="more"), Looking(asking="deck")


def screen(view: TableView, looking: Looking, texts: Texts) -> Screen:
    return build(view, looking, Connection(""), texts, now=0.0, languages={"en": "English"})


def enabled(view: TableView, looking: Looking, texts: Texts) -> set[str]:
    return {one.id for one in screen(view, looking, texts).buttons if one.enabled}


def test_the_menu_leads_to_a_request_that_names_the_deck(texts: Texts) -> None:
    assert "deck" in enabled(TWO, MENU, texts)
    looking, sent = tapped(MENU, TWO, "deck")
    assert (looking.asking, sent) == ("deck", None)
    picks = {one for one in enabled(TWO, looking, texts) if one.startswith("pick-deck")}
    assert picks == {"pick-deck:blue"}  # red is in play
    looking, sent = tapped(looking, TWO, "pick-deck:blue")
    assert (looking.asking, looking.undoable) == ("", False)
    assert sent == {"kind": "deck-change", "deck": "blue"}


def test_a_table_with_one_deck_is_not_asked(texts: Texts) -> None:
    one = replace(TWO, decks=("red",))
    assert "deck" not in {button.id for button in screen(one, MENU, texts).buttons}


def test_no_deck_changes_during_a_hand(texts: Texts) -> None:
    running = replace(TWO, hand=1, phase="deal")
    assert "deck" not in enabled(running, MENU, texts)
    assert not any("pick-deck" in one for one in enabled(running, ASKED, texts))
    assert arrived(ASKED, TWO, running, 1.0).asking == ""
    assert "reshuffled" in enabled(running, MENU, texts)
    assert "deck" in enabled(replace(running, phase="complete"), MENU, texts)


def test_the_menu_has_no_more_than_a_small_panel_holds(texts: Texts) -> None:
    for phase in (None, "deal", "flop", "complete"):
        view = replace(TWO, hand=1, phase=phase, floor_names=("Ann",))
        rows = screen(view, MENU, texts).frame.rows
        assert len(rows) == 3
        assert sum(map(len, rows)) <= 12


def test_many_decks_have_room(texts: Texts) -> None:
    many = replace(TWO, decks=tuple(f"deck-{n}" for n in range(9)), deck="deck-3")
    rows = screen(many, ASKED, texts).frame.rows
    assert [len(row) for row in rows] == [4, 4, 1]
