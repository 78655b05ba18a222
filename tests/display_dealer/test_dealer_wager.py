"""What is it? From a seat's sheet what was seen is tapped together, the table answers, and what it
is can be entered with one tap more."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from controller.contract.events import Blinds
from controller.contract.view import TableView, for_everybody
from controller.contract.wagered import WagerQuestion
from controller.library.books import Library
from display.dealer.texts import Texts
from display.dealer.wager_dialog import chip_values
from tests.display_dealer.spoken import spoken
from tests.display_dealer.tapped_table import Table
from tests.display_dealer.test_dealer_floor import enabled, look, screen_of

RAISED = "deal 4; 3 raise 40; wait 2"
SHEET = ("pick-seat:4", "what-is-it")


def a_table(library: Library, *taps: str, book: str = "uk-tda", log: str = RAISED) -> Table:
    """The table, of which every tap was on a button that was there."""
    table = Table(library, book, log)
    for one in (*SHEET, *taps):
        assert one in enabled(table.screen(spoken("en"))), one
        table.tap(one)
    return table


def labels(table: Table, texts: Texts | None = None) -> dict[str, str]:
    return {one.region: one.text for one in table.screen(texts or spoken("en")).labels}


def taps(words: str) -> list[str]:
    """`1000` is a chip of that value, `/` a motion more."""
    names = {"/": "second-motion", **{w: f"said:{w}" for w in ("raise", "call", "all-in")}}
    return [names.get(word, f"key:chip:{word}") for word in words.split()]


@pytest.mark.parametrize(
    ("seen", "title", "answer"),
    [
        ("1000", "Seat 4: 1,000", "Call 40."),
        ("25 25 5", "Seat 4: 2×25 + 5", "Raise to 70."),
        ("raise 100", "Seat 4: “Raise”, 100", "Raise to 100."),
        ("100 raise", "Seat 4: 100, “Raise”", "Call 40."),
        ("call 500", "Seat 4: “Call”, 500", "Call 40."),
        ("all-in", "Seat 4: “All-in”", "All-in, 1,000 in all."),
        ("25 / 100", "Seat 4: 25 then 100", "The floor decides: call 40 or fold and leave 25 in."),
    ],
)
def test_the_commonest_questions_take_four_taps_after_the_sheet(
    library: Library, seen: str, title: str, answer: str
) -> None:
    made = [*taps(seen), "ask"]
    assert 1 + len(made) <= 5
    shown = labels(a_table(library, *made))
    assert (shown["dialog-title"], shown["dialog-main"]) == (title, answer)


def test_an_amount_that_was_said_is_typed_and_asked_from_there(library: Library) -> None:
    table = a_table(library, "said:amount", "key:5", "key:5", "ask")
    assert labels(table)["dialog-title"] == "Seat 4: 55"
    assert labels(table)["dialog-main"] == "Raise to 70."
    table = a_table(library, "said:raise", "said:amount", "key:4", "key:00", "and-chips")
    assert labels(table)["dialog-title"] == "Seat 4: “Raise” 400"
    table.tap("key:chip:100", "ask")
    assert labels(table)["dialog-title"] == "Seat 4: “Raise” 400, 100"
    assert labels(table)["dialog-main"] == "Raise to 400."


def test_a_chip_that_the_screen_does_not_have_is_typed(library: Library) -> None:
    table = a_table(library, "other-chip", "key:2", "key:0", "enter", "key:chip:25")
    assert labels(table)["dialog-title"] == "Seat 4: 25 + 20"
    table.tap("ask")
    assert labels(table)["dialog-main"] == "Call 40."


def test_what_was_tapped_last_goes_first(library: Library) -> None:
    made = ("key:chip:100", "key:chip:25", "second-motion", "key:chip:5")
    table, titles = a_table(library, *made), []
    for _ in range(4):
        table.tap("erase")
        titles.append(labels(table)["dialog-title"])
    assert titles[:3] == ["Seat 4: 100 + 25", "Seat 4: 100", "Seat 4: what was said and put in?"]
    assert "erase" not in enabled(table.screen(spoken("en")))
    table = a_table(library, "key:chip:100", "said:raise", "erase")
    assert table.looking.wager == WagerQuestion(4, motions=((100,),))
    table.tap("said:raise", "said:raise")
    assert table.looking.wager == WagerQuestion(4, motions=((100,),)), "a word is taken back"


def test_there_is_nothing_to_ask_before_something_was_seen(library: Library) -> None:
    table = a_table(library)
    assert not {"ask", "erase", "second-motion"} & set(enabled(table.screen(spoken("en"))))
    table.tap("ask")
    assert table.looking.asking == "wager"


@pytest.mark.parametrize(
    ("seen", "action", "amount"),
    [("1000", "call", 40), ("25 25 5", "raise", 70), ("all-in", "all-in", 1000)],
)
def test_what_it_is_is_entered_with_one_tap(
    library: Library, seen: str, action: str, amount: int
) -> None:
    table = a_table(library, *taps(seen), "ask", "enter-it:0")
    [seat] = [one for one in table.view.seats if one.seat == 4]
    assert (seat.last_action, seat.bet) == (action, amount)
    assert (table.looking.asking, table.looking.undoable) == ("", True)
    assert table.view.answer is None


def test_what_the_player_is_asked_is_entered_as_he_says(library: Library) -> None:
    table = a_table(library, *taps("raise"), "ask")
    assert labels(table)["dialog-main"] == "Ask the player: raise to 70?"
    assert enabled(table.screen(spoken("en")))["enter-it:0"] == "Raise to 70"
    table.tap("enter-it:0")
    assert next(one.bet for one in table.view.seats if one.seat == 4) == 70


def test_what_else_matters_is_behind_the_answer_and_answers_anew(library: Library) -> None:
    table = a_table(library, "said:raise", "said:amount", "key:5", "ask", "otherwise")
    there = {
        one for one in enabled(table.screen(spoken("en"))) if one.startswith(("also", "first"))
    }
    assert there == {"also:unclear"}, "there are no chips, and it is no short call"
    table.tap("also:unclear")
    assert labels(table)["dialog-title"] == "Seat 4: “Raise” 5, unclear amount"
    assert labels(table)["dialog-main"] == "Ask the player: raise to 500?"
    table.tap("otherwise", "also:unclear")
    assert labels(table)["dialog-main"] == "Raise to 70."


def test_words_and_chips_together_or_in_another_order_than_tapped(library: Library) -> None:
    table = a_table(library, *taps("100 raise"), "ask")
    assert labels(table)["dialog-main"] == "Call 40."
    for first, title, main in (
        ("together", "Seat 4: “Raise”, 100, words and chips together", "Raise to 100."),
        ("words", "Seat 4: “Raise”, 100", "Raise to 100."),
        ("chips", "Seat 4: 100, “Raise”", "Call 40."),
    ):
        table.tap("otherwise")
        assert f"first:{first}" in enabled(table.screen(spoken("en")))
        table.tap(f"first:{first}")
        assert (labels(table)["dialog-title"], labels(table)["dialog-main"]) == (title, main)


@pytest.mark.parametrize(
    ("also", "book", "main"),
    [
        ("unaware", "roberts", "Ask the player: call 40 or take the action back?"),
        ("mistaken", "uk-tda", "Call 40."),
        ("running", "tda-2024", "The floor decides: call 40 or take the action back."),
    ],
)
def test_a_short_call_may_be_a_mistake(library: Library, also: str, book: str, main: str) -> None:
    table = a_table(library, *taps("25"), "ask", "otherwise", book=book)
    assert {"also:mistaken", "also:unaware"} <= set(enabled(table.screen(spoken("en"))))
    table.tap(f"also:{also}")
    assert labels(table)["dialog-main"] == main
    is_settled = not labels(table)["dialog-main"].startswith("The floor")
    assert ("enter-it:0" in enabled(table.screen(spoken("en")))) is is_settled
    table.tap("change", "ask")
    assert labels(table)["dialog-main"] != main, "what is changed is asked plainly"


def test_the_usual_answer_asks_nothing_more(library: Library) -> None:
    for seen in ("1000", "25 25 5", "raise", "all-in"):
        table = a_table(library, *taps(seen), "ask")
        assert "otherwise" not in enabled(table.screen(spoken("en")))
        assert "otherwise" not in [one.id for one in table.screen(spoken("en")).buttons]


def test_chips_of_an_earlier_bet_may_have_been_pulled_back(library: Library) -> None:
    table = a_table(library)
    assert "also:pulled_back" not in enabled(table.screen(spoken("en"))), "nothing lies there"
    log = "deal 4; 3 raise 40; 4 call; 1 raise 100; 2 fold; 3 fold; wait 2"
    table = a_table(library, "also:pulled_back", "ask", log=log)
    assert labels(table)["dialog-title"] == "Seat 4: pulled chips back"
    assert labels(table)["dialog-main"] == "Ask the player: call 100 or raise to 160?"
    table.tap("change", "erase")
    assert table.looking.wager == WagerQuestion(4)


def test_an_answer_that_is_past_closes_what_was_otherwise(library: Library) -> None:
    table = a_table(library, *taps("25"), "ask", "otherwise")
    table.tell("4 call")
    assert table.looking.asking == ""
    table = a_table(library, *taps("25"), "ask", "otherwise")
    table.tap("cancel")
    assert table.looking.asking == "wager-answer"


def test_what_the_floor_decides_is_not_entered(library: Library) -> None:
    table = a_table(library, *taps("25"), "ask")
    there = enabled(table.screen(spoken("en")))
    assert "enter-it:0" not in there
    assert {"call-floor", "wager-why", "change"} <= set(there)
    table.tap("enter-it:0")
    assert table.view.to_act == 4


def test_the_reason_what_goes_back_and_what_comes_next(library: Library) -> None:
    shown = labels(a_table(library, *taps("1000"), "ask"))
    assert shown["dialog-text"].splitlines() == [
        "One chip over the bet, without a word, is a call.",
        "960 go back to the player.",
        "Next: 40 to match, a raise to 70 or more.",
    ]


def test_its_rules_are_on_the_button_and_behind_it(library: Library) -> None:
    table = a_table(library, *taps("1000"), "ask")
    assert enabled(table.screen(spoken("en")))["wager-why"] == "Why? UK-44"
    table.tap("wager-why")
    assert labels(table)["dialog-title"] == "UK TDA"
    assert labels(table)["dialog-text"].startswith("UK-44: ")
    table.tap("cancel")
    assert labels(table)["dialog-main"] == "Call 40."


def test_where_the_book_is_silent_another_one_advises(library: Library) -> None:
    table = a_table(library, *taps("25"), "ask", book="tda-2009")
    said = labels(table)["dialog-text"].splitlines()
    assert said[1:] == ["The book is silent.", "Robert's Rules would say: Call 40."]
    table.tap("wager-why")
    rules = labels(table)["dialog-text"].splitlines()
    silence = library.book("tda-2009").silence.cites
    assert [line.partition(":")[0] for line in rules] == [*silence, "RR7-NL-10"]


def test_a_bet_that_the_table_does_not_know_is_for_the_floor(library: Library) -> None:
    table = a_table(library, *taps("1000"), "ask", log="deal 4; 3 raise; wait 2")
    assert labels(table)["dialog-main"] == "The table does not know the bet: ask the floor."
    assert not {"enter-it:0", "wager-why"} & set(enabled(table.screen(spoken("en"))))


@pytest.mark.parametrize("then", ["4 call", "undo"])
@pytest.mark.parametrize("behind", [(), ("wager-why",)], ids=["answer", "why"])
def test_an_answer_is_past_once_somebody_acts_or_an_entry_is_taken_back(
    library: Library, then: str, behind: tuple[str, ...]
) -> None:
    table = a_table(library, *taps("1000"), "ask", *behind, log="deal 4; dealt 3 call; wait 2")
    assert table.view.answer is not None
    table.tell("wait 1")
    assert table.view.answer is not None, "time passes"
    table.tell(then)
    assert table.view.answer is None
    assert table.looking.asking == ""


def test_a_finding_takes_its_place(library: Library) -> None:
    table = a_table(library, *taps("1000"), "ask")
    table.tell("exposed 4 1; wait 2")
    assert table.view.findings
    assert (table.view.answer, table.looking.asking) == (None, "")
    table.tap("to-table", "pick-seat:4")
    assert table.looking.asking == "seat"
    assert "what-is-it" not in enabled(table.screen(spoken("en")))


@pytest.mark.parametrize("made", [(), ("other-chip",), ("said:amount", "key:5")])
@pytest.mark.parametrize("then", ["exposed 4 1; wait 2", "4 call; 1 call; 2 call; burn; board 3"])
def test_a_question_gives_way_to_a_finding_and_ends_with_the_round(
    library: Library, made: tuple[str, ...], then: str
) -> None:
    table = a_table(library, *made)
    table.tell(then)
    assert table.looking.asking == ""


def test_nothing_is_asked_while_a_finding_is_open_though_the_betting_goes_on(
    library: Library,
) -> None:
    table = Table(library, "uk-tda", RAISED)
    found = Table(library, "uk-tda", f"{RAISED}; exposed 4 1; wait 2").view.findings
    sheet = replace(look(table.view), asking="seat", seat=4)
    assert "what-is-it" in enabled(screen_of(table.view, sheet, spoken("en")))
    open_one = replace(table.view, findings=found)
    assert "did:call" in enabled(screen_of(open_one, sheet, spoken("en")))
    assert "what-is-it" not in enabled(screen_of(open_one, sheet, spoken("en")))


@pytest.mark.parametrize(
    ("log", "seat"),
    [
        ("", 4),
        ("deal 4", 1),
        (f"{RAISED}; 4 fold", 4),
        (f"{RAISED}; 4 call; 1 fold; 2 fold; wait 1", 4),
    ],
    ids=["no hand", "dealt", "folded", "betting done"],
)
def test_who_may_not_act_is_not_asked_about(library: Library, log: str, seat: int) -> None:
    table = Table(library, "uk-tda", log)
    if log == "deal 4":
        table.tell("misdeal")
    table.tap(f"pick-seat:{seat}")
    assert "what-is-it" not in enabled(table.screen(spoken("en")))


def test_before_a_bet_the_word_is_bet(library: Library) -> None:
    log = "deal 4; preflop; burn; board 3; wait 3"
    table = Table(library, "uk-tda", log)
    table.tap("pick-seat:1", "what-is-it")
    there = enabled(table.screen(spoken("en")))
    assert "said:bet" in there
    assert "said:raise" not in there
    table.tap("key:chip:100", "ask", "enter-it:0")
    assert next((one.last_action, one.bet) for one in table.view.seats) == ("bet", 100)


@pytest.mark.parametrize(
    ("small", "chips"),
    [
        (1, (1, 5, 25, 100)),
        (5, (5, 25, 100, 500)),
        (250, (100, 500, 1000, 5000)),
        (10**9, (1000, 5000, 25000, 100000)),
    ],
)
def test_the_chips_are_those_of_the_blinds(small: int, chips: tuple[int, ...]) -> None:
    view = TableView(table="T", rulebook="roberts", blinds=Blinds(small, 2 * small))
    assert chip_values(view)[:4] == chips
    assert len(set(chip_values(view))) == 7


@pytest.mark.parametrize(
    ("language", "main"),
    [("de", "Call auf 40."), ("es", "Ver hasta 40."), ("fr", "Suivre à 40.")],
)
def test_it_is_said_in_the_screens_language(library: Library, language: str, main: str) -> None:
    table = a_table(library, *taps("1000"), "ask")
    assert labels(table, spoken(language))["dialog-main"] == main


def test_nobody_but_the_dealers_screens_has_the_answer(library: Library) -> None:
    table = a_table(library, *taps("1000"), "ask")
    assert table.view.answer is not None
    assert for_everybody(table.view).answer is None
