"""The dealer's routine between hands, and a dealer who is learning."""

from __future__ import annotations

import msgspec
import pytest

from controller.contract.events import Event, Prompt
from controller.contract.observations import decode
from controller.contract.routine import ROUTINE
from controller.engine.engine import Engine
from controller.library.books import Library
from tests.engine.test_two_decks import BLUE, RED, Table
from tests.rules.table_talk import Talk

LEARNER = {"learner": True}


def routine(events: list[Event]) -> list[str]:
    return [e.text_id for e in events if isinstance(e, Prompt) and e.text_id in ROUTINE]


class Felt(Table):
    """Dealt and awarded hand after hand; the decks have been told."""

    def __init__(self, library: Library, rulebook: str, **fields: object) -> None:
        super().__init__(library, rulebook, **fields)
        self.events.clear()

    def play(self) -> list[str]:
        """One hand; returns what of the routine was said after it."""
        self.riffle()
        for seat in (1, 2):
            self.say(kind="press", seat=seat, button="fold", by="dealer")
        before = len(self.events)
        self.say(kind="dealer", input="award")
        return routine(self.events[before:])


@pytest.fixture
def roberts(library: Library) -> Felt:
    return Felt(library, "roberts", routine=LEARNER)


def test_before_the_first_hand_the_button_is_drawn_for(library: Library) -> None:
    """RR7-SEAT-6, RR7-T-7, RR7-TIES-2: Robert's Rules say so; TDA24-RP20B: the deck is washed. By
    HPT-SEAT-03 the ace of the draw for seats sits at the button."""
    for book, said in (
        ("roberts", ["draw-button"]),
        ("homepokertourney", []),
        ("tda-2024", ["wash"]),
        ("uk-tda", []),
    ):
        felt = Felt(library, book)
        assert routine(felt.say(kind="open")) == said
        felt.play()
        assert routine(felt.say(kind="open")) == []


def test_decks_change_with_the_dealer_and_the_level(library: Library) -> None:
    """UK-24, TDA09-17, NL10-HR-15: on a push and a level change."""
    for book in ("uk-tda", "tda-2009", "nl-2010"):
        felt = Felt(library, book)
        assert routine(felt.say(kind="dealer", input="sign-in", name="Ann")) == []
        assert routine(felt.say(kind="dealer", input="sign-in", name="Ben")) == ["change-deck"]
        assert routine(felt.say(kind="dealer", input="sign-in", name="Ben")) == []
        assert routine(felt.say(kind="level", small=10, big=20)) == ["change-deck"]


def test_in_a_hand_the_change_waits_until_it_is_over(library: Library) -> None:
    felt = Felt(library, "uk-tda")
    felt.riffle()
    assert routine(felt.say(kind="level", small=10, big=20)) == []
    for seat in (3, 1):
        felt.say(kind="press", seat=seat, button="fold")
    assert routine(felt.events) == ["change-deck"]


def test_a_deck_that_was_changed_is_not_asked_for(library: Library) -> None:
    felt = Felt(library, "uk-tda")
    felt.riffle()
    felt.say(kind="level", small=10, big=20)
    felt.say(kind="deck", deck=BLUE)
    for seat in (3, 1):
        felt.say(kind="press", seat=seat, button="fold")
    assert routine(felt.events) == []


def test_with_one_deck_there_is_none_to_change(library: Library) -> None:
    talk = Talk(library, "uk-tda")
    talk.tell("table 3; level 10 20; wait 2; riffle")
    assert routine(talk.events) == []


def test_roberts_has_decks_change_only_with_the_dealer(roberts: Felt) -> None:
    """RR7-T-29."""
    roberts.say(kind="dealer", input="sign-in", name="Ann")
    for _ in range(3):
        roberts.play()
    roberts.say(kind="dealer", input="sign-in", name="Ben")
    assert routine(roberts.say(kind="deck", deck=BLUE)) == []
    for _ in range(3):
        roberts.play()
    assert routine(roberts.say(kind="deck", deck=RED)) == ["deck-with-dealer"]


def test_roberts_has_a_deck_stay_for_a_round(roberts: Felt) -> None:
    """RR7-PROC-22: as many hands as there are players."""
    assert routine(roberts.say(kind="deck", deck=BLUE)) == []  # as a table tells its decks
    for _ in range(2):
        roberts.play()
    assert routine(roberts.say(kind="deck", deck=RED)) == ["deck-with-dealer", "deck-young"]


def test_with_two_decks_who_sits_right_of_the_button_shuffles(library: Library) -> None:
    """HPT-2DK-02."""
    felt = Felt(library, "homepokertourney", routine=LEARNER)
    felt.riffle()
    [said] = [e for e in felt.events if isinstance(e, Prompt) and e.text_id == "shuffle-used"]
    assert said.args == {"seat": 2}  # of three, with the button at seat 3


def test_the_leaving_dealer_briefs_the_next(library: Library) -> None:
    """TDA24-RP15A."""
    felt = Felt(library, "tda-2024")
    felt.say(kind="dealer", input="sign-in", name="Ann")
    said = felt.say(kind="dealer", input="sign-in", name="Ben")
    assert routine(said) == ["brief-next", "change-deck"]


def test_a_dealer_learns_from_one_entry_to_the_next(library: Library) -> None:
    felt = Felt(library, "homepokertourney")
    felt.play()
    assert routine(felt.events) == []
    felt.say(kind="dealer", input="learner", on=True)
    felt.riffle()
    assert routine(felt.events) == ["cut-left", "shuffle-used", "post-blinds"]
    felt.say(kind="dealer", input="learner", on=False)
    felt.say(kind="press", seat=1, button="raise", amount=30)
    felt.events.clear()
    felt.play()
    assert routine(felt.events) == []


def test_it_is_said_once_though_an_entry_is_taken_back(library: Library) -> None:
    talk = Talk(library, "homepokertourney", routine=LEARNER)
    talk.tell("deal 3; wait 1; 3 raise 30; undo; 3 raise 40")
    said = [e for e in talk.events if isinstance(e, Prompt) and e.text_id == "say-bet"]
    assert [e.args["to"] for e in said] == [30, 40]


def test_each_book_names_a_rule_of_its_own_for_what_it_has_said(library: Library) -> None:
    own = {"homepokertourney": "HPT", "nl-2010": "NL10", "roberts": "RR7", "tda-2009": "TDA09"}
    own |= {"tda-2024": "TDA24", "uk-tda": "UK"}
    told = set()
    for name in library.ids:
        for text_id, cites in library.book(name).prompts.items():
            assert not cites or any(rule.startswith(own[name] + "-") for rule in cites), text_id
            told |= {text_id} if cites else set()
    assert set(ROUTINE) <= told


def test_a_restored_engine_knows_the_deck_and_the_dealer(library: Library) -> None:
    """Whatever comes in between: a restart is no new dealer and no new deck."""
    felt = Felt(library, "roberts", routine=LEARNER)
    felt.say(kind="dealer", input="sign-in", name="Ann")
    felt.say(kind="dealer", input="sign-in", name="Ben")
    felt.say(kind="deck", deck=BLUE)
    felt.play()
    state = felt.engine.state()
    assert state is not None
    assert (state.between.hands, state.between.has_new_dealer) == (1, False)
    again = Engine(library.book)
    again.restore(state, BLUE, felt.engine.lying(), RED)
    said = again.observe(decode(msgspec.json.encode({"t": felt.t, "kind": "deck", "deck": RED})))
    assert routine(said) == ["deck-with-dealer", "deck-young"]
