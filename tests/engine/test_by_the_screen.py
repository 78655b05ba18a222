"""Whoever does what the screen says at each moment makes no new error, under every book."""

from __future__ import annotations

import pytest

from controller.contract.events import Action, Board, Phase, Prompt
from controller.library.books import Library
from tests.engine.by_the_screen import ByTheScreen, Way
from tests.rules.table_talk import Talk

BOOKS = ("homepokertourney", "nl-2010", "roberts", "tda-2009", "tda-2024", "uk-tda")
FLOP = "deal 3; preflop; burn; board 3"
TURN = f"{FLOP}; checks; burn; board"
ERRORS = {
    "premature-flop": ("premature-flop", "deal 3; 3 call; 1 call; burn; board 3; wait 2"),
    "premature-flop, no burn": ("premature-flop", "deal 3; 3 call; board 3; wait 2"),
    "premature-turn": ("premature-turn", f"{FLOP}; 1 check; 2 check; burn; board; wait 2"),
    "premature-turn, no burn": ("premature-turn", f"{FLOP}; 1 check; wait 2; board; wait 2"),
    "premature-river": ("premature-river", f"{TURN}; 1 check; burn; board; wait 2"),
    "premature-river, no burn": ("premature-river", f"{TURN}; wait 2; 1 check; board; wait 2"),
    "burn-premature, flop": ("burn-premature", "deal 3; 3 call; 1 call; burn; wait 2"),
    "burn-premature, turn": ("burn-premature", f"{FLOP}; 1 check; burn; wait 2"),
    "burn-premature, river": ("burn-premature", f"{TURN}; 1 check; burn; wait 2"),
    "four on the flop": ("four-card-flop", "deal 3; preflop; burn; board 4; wait 2"),
    "five on the flop": ("four-card-flop", "deal 3; preflop; burn; board 5; wait 2"),
    "four on the flop, action": (
        "four-card-flop",
        "deal 3; preflop; burn; board 4; wait 2; 1 check",
    ),
    "two on the turn": ("too-many-turn", f"{FLOP}; checks; burn; board 2; wait 2"),
    "two on the turn, action": ("too-many-turn", f"{FLOP}; checks; burn; board 2; wait 2; 1 check"),
    "two on the river": ("too-many-river", f"{TURN}; checks; burn; board 2; wait 2"),
    "no burn, flop": ("burn-missing", "deal 3; preflop; board 3; wait 2"),
    "no burn, turn": ("burn-missing", f"{FLOP}; checks; board; wait 2"),
    "no burn, river": ("burn-missing", f"{TURN}; checks; board; wait 2"),
    "no burn, flop, action": ("burn-missing", "deal 3; preflop; board 3; wait 2; 1 check"),
    "no burn, turn, action": ("burn-missing", f"{FLOP}; checks; board; wait 2; 1 check"),
    "no burn, river, action": ("burn-missing", f"{TURN}; checks; board; wait 2; 1 check"),
    "two burns, flop to come": ("burn-double", "deal 3; preflop; burn; burn; wait 2"),
    "two burns, turn to come": ("burn-double", f"{FLOP}; checks; burn; burn; wait 2"),
    "two burns, river to come": ("burn-double", f"{TURN}; checks; burn; burn; wait 2"),
    "two burns, flop": ("burn-double", "deal 3; preflop; burn; burn; board 3; wait 2"),
    "two burns, turn": ("burn-double", f"{FLOP}; checks; burn; burn; board; wait 2"),
    "two burns, river": ("burn-double", f"{TURN}; checks; burn; burn; board; wait 2"),
    "two burns, flop, action": (
        "burn-double",
        "deal 3; preflop; burn; burn; board 3; wait 2; 1 check",
    ),
    "two burns, turn, action": (
        "burn-double",
        f"{FLOP}; checks; burn; burn; board; wait 2; 1 check",
    ),
    "two burns, river, action": (
        "burn-double",
        f"{TURN}; checks; burn; burn; board; wait 2; 1 check",
    ),
    "two on the flop": ("short-flop", "deal 3; preflop; burn; board 2; wait 4"),
    "a board card is gone": ("board-disturbed", f"{FLOP}; wait 2; lift x3; wait 3"),
    "a burn is gone": ("burn-disturbed", f"{FLOP}; wait 2; lift x1; wait 3"),
}
ENDS = (["remedied"], ["ruled"])
STANDS = {
    (book, f"{what}, {street}, action")
    for book in BOOKS
    for what in ("no burn", "two burns")
    for street in (("flop", "turn", "river") if book == "tda-2024" else ("river",))
}
"""Nothing is to be done about it: later burns restore no order (TDA24-38a), or none is left."""


@pytest.mark.parametrize("rules", [False, True], ids=["floor comes", "floor rules"])
@pytest.mark.parametrize("way", ["ticks", "waits", "turns"])
@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("error", ERRORS)
def test_what_the_screen_says_makes_no_new_error(
    library: Library, *, error: str, book: str, way: Way, rules: bool
) -> None:
    code, log = ERRORS[error]
    dealer = ByTheScreen(library, book, log, way=way, rules=rules)
    dealer.play()
    assert dealer.codes == [code]
    assert not dealer.shown_again
    assert dealer.closed in ENDS or ((book, error) in STANDS and dealer.closed == ["expired"])
    assert len(dealer.boards[-1]) == 5


NO_BURNS = ("seat/1", "seat/2", "seat/3", "board", "muck")
ON_THE_BOARD = [name for name, (code, _) in ERRORS.items() if not code.startswith("burn-")]


@pytest.mark.parametrize("rules", [False, True], ids=["floor comes", "floor rules"])
@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("error", ON_THE_BOARD)
def test_nor_does_it_without_a_burn_antenna(
    library: Library, *, error: str, book: str, rules: bool
) -> None:
    code, log = ERRORS[error]
    dealer = ByTheScreen(library, book, log, way="waits", rules=rules, zones=NO_BURNS)
    dealer.play()
    assert dealer.codes == [code]
    assert not dealer.shown_again
    assert dealer.closed in ENDS
    assert len(dealer.boards[-1]) == 5


@pytest.mark.parametrize("rules", [False, True], ids=["floor comes", "floor rules"])
@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("error", ["premature-turn", "premature-turn, no burn", "two on the turn"])
def test_the_card_that_plays_as_the_turn_is_on_the_board_while_it_is_bet(
    library: Library, *, error: str, book: str, rules: bool
) -> None:
    dealer = ByTheScreen(library, book, ERRORS[error][1], way="ticks", rules=rules)
    dealer.play()
    events = dealer.events
    begins = {e.phase: at for at, e in enumerate(events) if isinstance(e, Phase)}
    bet = events[begins["turn"] : begins["river"]]
    acts = [at for at, e in enumerate(bet) if isinstance(e, Action)]
    shown = [e for e in bet[: acts[0]] if isinstance(e, Board)]
    assert len(acts) == 3
    assert [(e.street, len(e.cards)) for e in shown] == [("turn", 4)]
    assert dealer.boards[-1][:4] == shown[0].cards


def test_while_the_round_is_open_it_is_said_whose_turn_it_is(library: Library) -> None:
    talk = Talk(library, "roberts")
    talk.tell("deal 4; 3 call; 4 call; burn; board 3; wait 2; confirm")
    prompts = [e for e in talk.events if isinstance(e, Prompt)]
    assert (prompts[-1].text_id, prompts[-1].args["seat"]) == ("act", 1)
    talk.tell("1 call; 2 check; wait 1")
    assert [e.text_id for e in talk.events if isinstance(e, Prompt)][-1] == "put-right"
