"""A deck that is not complete is told before the hand for which it is shuffled."""

from __future__ import annotations

from controller.contract.events import Closed, Finding, Start
from controller.library.books import Library
from tests.rules.table_talk import Talk


def test_a_missing_card_is_told_at_the_check_and_belongs_to_the_coming_hand(
    library: Library,
) -> None:
    talk = Talk(library, "nl-2010")
    talk.tell("deal 4; 3 fold; 4 fold; 1 fold; wait 1; collect; deck 51")
    found = [e for e in talk.events if isinstance(e, Finding)]
    assert [(f.code, f.hand, f.priority) for f in found] == [("missing-card", 2, 2)]
    talk.tell("wait 5; riffle")
    assert [e.hand for e in talk.events if isinstance(e, Start)] == [1, 2]
    assert not [e for e in talk.events if isinstance(e, Closed)]


def test_a_check_of_the_other_deck_waits_until_that_one_is_in_play(library: Library) -> None:
    decks = [{f"{name}{n}": f"{r}{s}" for n, (r, s) in enumerate(CODES)} for name in "AB"]
    talk = Talk(library, "roberts", deck=decks[0])
    talk.tell("table 4")
    talk.say(kind="deck-check", tags=list(decks[1])[1:])
    assert not [e for e in talk.events if isinstance(e, Finding)]
    talk.say(kind="deck", deck=decks[1])
    assert [e.code for e in talk.events if isinstance(e, Finding)] == ["missing-card"]


CODES = [(rank, suit) for rank in "23456789TJQKA" for suit in "shdc"]
