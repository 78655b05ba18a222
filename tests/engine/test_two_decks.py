"""Two decks that take turns: which one is in play, and what the one that rests may do."""

from __future__ import annotations

import msgspec
import pytest

from controller.contract.cards import CARDS
from controller.contract.events import Closed, Event, Finding, Start, Tabled
from controller.contract.observations import Seen, decode
from controller.engine.engine import Engine
from controller.library.books import Library
from tests.rules.table_talk import Talk

RED = {f"R{card}": card for card in CARDS}
BLUE = {f"B{card}": card for card in CARDS}
SEATS = (1, 2, 3, 1, 2, 3)


class Table:
    """A table of three; red is in play, blue rests."""

    def __init__(self, library: Library, rulebook: str = "roberts", **table: object) -> None:
        self.events: list[Event] = []
        self.engine = Engine(library.book)
        self.t = 0.0
        seats = [{"seat": s, "stack": 1000} for s in (1, 2, 3)]
        self.say(
            kind="table", v=1, table="1", rulebook=rulebook, seats=seats, button=3,
            blinds={"small": 5, "big": 10}, deck=RED, **table,
        )  # fmt: skip
        self.say(kind="deck", deck=BLUE)
        self.say(kind="deck", deck=RED)

    def say(self, **fields: object) -> list[Event]:
        said = self.engine.observe(decode(msgspec.json.encode({"t": self.t, **fields})))
        self.events += said
        return said

    def wait(self, seconds: float) -> None:
        self.t = round(self.t + seconds, 3)
        self.say(kind="tick")

    def lay(self, zone: str, *tags: str) -> None:
        for tag in tags:
            self.wait(0.6)
            self.say(kind="seen", zone=zone, tag=tag)

    def pitch(self, *tags: str) -> None:
        for seat, tag in zip(SEATS, tags, strict=False):
            self.lay(f"seat/{seat}", tag)

    def riffle(self) -> None:
        self.wait(1.0)
        self.say(kind="riffle")
        self.wait(2.0)

    def found(self) -> list[str]:
        return [e.code for e in self.events if isinstance(e, Finding)]

    def first_cards(self, zone: str, tag: str) -> tuple[str, ...]:
        return self.engine.first_cards(Seen(self.t + 0.6, zone, tag))


BLUES, REDS = list(BLUE), list(RED)


def test_a_hand_that_has_only_begun_takes_another_deck(library: Library) -> None:
    table = Table(library)
    table.riffle()
    table.say(kind="deck", deck=BLUE)
    table.pitch(*BLUES[:6])
    table.wait(2.0)
    assert table.found() == []
    table.say(kind="press", seat=3, button="fold")
    table.say(kind="press", seat=1, button="all-in")
    table.say(kind="press", seat=2, button="all-in")
    table.say(kind="dealer", input="tabled", seat=1)
    [tabled] = [e for e in table.events if isinstance(e, Tabled)]
    assert tabled.cards == (CARDS[0], CARDS[3])


def test_a_hand_of_which_a_card_is_out_stays_with_its_deck(library: Library) -> None:
    table = Table(library)
    table.riffle()
    table.pitch(REDS[0])
    table.say(kind="deck", deck=BLUE)
    table.lay("seat/2", REDS[1])
    assert table.found() == []
    table.lay("seat/3", BLUES[2])
    assert table.found() == ["foreign-card"]
    table.say(kind="dealer", input="misdeal")
    table.riffle()
    table.pitch(*BLUES[20:26])
    table.wait(2.0)
    assert table.found() == ["foreign-card"]


def test_it_is_known_which_cards_begin_a_deal(library: Library) -> None:
    table = Table(library)
    assert table.first_cards("seat/1", BLUES[0]) == ()
    table.lay("seat/1", BLUES[0])
    assert table.first_cards("seat/1", BLUES[0]) == ()
    assert table.first_cards("seat/1", BLUES[1]) == ()
    assert table.first_cards("muck", BLUES[1]) == ()
    assert table.first_cards("seat/2", BLUES[1]) == (BLUES[0], BLUES[1])
    assert table.first_cards("seat/2", REDS[1]) == (BLUES[0], REDS[1])
    table.wait(6.0)
    assert table.first_cards("seat/2", BLUES[1]) == ()  # the other one lay there before
    table.riffle()
    assert table.first_cards("seat/1", BLUES[0]) == ()
    assert table.first_cards("seat/1", BLUES[1]) == (BLUES[1],)
    assert table.first_cards("seat/7", BLUES[1]) == ()
    table.lay("seat/1", REDS[1])
    assert table.first_cards("seat/2", REDS[2]) == ()


def test_an_implied_hand_is_dealt_with_the_deck_told_before_it_begins(library: Library) -> None:
    table = Table(library)
    table.lay("seat/1", BLUES[0])
    table.say(kind="deck", deck=BLUE)
    table.lay("seat/2", BLUES[1])
    assert [e.implied for e in table.events if isinstance(e, Start)] == [True]
    table.lay("seat/3", *BLUES[2:3])
    table.pitch(*BLUES[3:6])
    table.wait(3.0)
    assert table.found() == []


def test_the_deck_that_rests_may_be_cleared_away(library: Library) -> None:
    table = Table(library)
    table.riffle()
    table.pitch(*REDS[:6])
    table.lay("muck", *BLUES[:5])
    table.lay("stub", *BLUES[5:9])
    assert table.found() == []
    table.lay("muck", "UNKNOWN")
    assert table.found() == ["foreign-card"]
    table.lay("stub", REDS[40])
    assert table.found() == ["foreign-card", "foreign-card-in-stub"]


def test_one_card_of_the_deck_that_rests_is_a_foreign_card_in_play(library: Library) -> None:
    table = Table(library)
    table.riffle()
    table.pitch(REDS[0], BLUES[0], *REDS[1:4], BLUES[1])
    table.wait(3.0)
    [found] = [e for e in table.events if isinstance(e, Finding)]
    assert (found.code, found.seats, found.ruling.outcome) == ("foreign-card", (2,), "void-hand")


def test_what_lay_in_the_stub_is_looked_at_once_a_card_is_out(library: Library) -> None:
    table = Table(library)
    table.lay("stub", "UNKNOWN")
    table.riffle()
    assert table.found() == []
    table.pitch(REDS[0])
    assert table.found() == ["foreign-card-in-stub"]


def test_the_stub_may_be_of_the_deck_that_is_told_with_the_first_card(library: Library) -> None:
    table = Table(library)
    table.lay("stub", *BLUES[20:24])
    table.riffle()
    table.say(kind="deck", deck=BLUE)
    table.pitch(*BLUES[:6])
    table.wait(2.0)
    assert table.found() == []


def test_a_wrong_deck_that_was_checked_is_put_right_by_a_change(library: Library) -> None:
    table = Table(library)
    table.say(kind="deck-check", tags=[f"U{n}" for n in range(52)])
    table.riffle()
    assert table.found() == ["foreign-card"]
    table.say(kind="deck", deck=BLUE)
    table.pitch(*BLUES[:6])
    assert [e.how for e in table.events if isinstance(e, Closed)] == ["remedied"]
    assert table.found() == ["foreign-card"]


def test_a_check_of_the_deck_that_rests_says_nothing(library: Library) -> None:
    table = Table(library)
    table.say(kind="deck-check", tags=BLUES[:51])
    table.riffle()
    assert table.found() == []
    table.say(kind="deck", deck=BLUE)
    assert table.found() == ["missing-card"]


@pytest.mark.parametrize("changed", [False, True])
def test_what_is_taken_back_leaves_the_decks_as_they_are(library: Library, changed: bool) -> None:
    table, dealt, rests = Table(library), REDS, BLUES
    table.riffle()
    if changed:
        table.say(kind="deck", deck=BLUE)
        dealt, rests = BLUES, REDS
    table.pitch(*dealt[:6])
    table.say(kind="press", seat=3, button="fold", by="dealer")
    table.say(kind="dealer", input="undo")
    table.lay("muck", *rests[:3])
    table.wait(3.0)
    assert table.found() == []


def test_a_strange_deck_says_no_more_in_one_hand_and_is_told_in_the_next(library: Library) -> None:
    talk = Talk(library, "roberts", deck={"Y": "As"})
    talk.tell("deal 4; preflop; dismiss; burn; board 3; wait 4; award; collect")
    assert [e.code for e in talk.events if isinstance(e, Finding)] == ["foreign-card"]
    talk.tell("pitch 4 2 3 4 1 2 3 4 1; wait 2")
    found = [e for e in talk.events if isinstance(e, Finding)]
    assert [(f.hand, f.priority, f.seats, f.cards) for f in found] == [
        (1, 2, (), ()),
        (2, 2, (), ()),
    ]
