"""TDA 2024: each ruling as its rules have it (catalogue-tda-2024.csv), written from them."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest
from msgspec.structs import replace

from controller.contract.cards import CARDS
from controller.contract.events import (
    Action,
    Clock,
    Closed,
    Finding,
    Phase,
    Prompt,
    Result,
    Ruling,
    RulingText,
    Start,
)
from controller.contract.wagered import Option, Word
from controller.library.books import Library, open_library
from controller.rules.facing import Facing, Wager
from controller.rules.wager import judge
from tests.rules.table_talk import Talk

BOOK = "tda-2024"
CONFIG = Path(__file__).resolve().parents[2] / "config"
OPENED = Facing(big=700, bet=1400, increment=1400)


class Case(NamedTuple):
    """What the last ruling on the first finding is after `log`."""

    log: str
    code: str
    outcome: str
    cites: str


CASES = [
    Case("pitch 4 2 3; wait 3", "first-card-wrong-seat", "misdeal", "35A2 35C1"),
    Case("pitch 4 3 4 1 2 3 4 1 2; 3 call; 4 call", "first-card-wrong-seat", "stands", "35D1"),
    Case("pitch 4 1 2 3 4 7 1 2 3 4; wait 3", "empty-seat-dealt", "misdeal", "35A3"),
    Case("pitch 4 1 2 3 4 7 1 2 3 4; wait 3; 3 call; 4 call", "empty-seat-dealt", "stands", "35D1"),
    Case("pitch 5 1 2 4 5 1 2 4 5; 4 call", "seat-dealt-out", "misdeal", "35A4"),
    Case("pitch 5 1 3 4 5 1 3 4 5; 3 call; 4 call", "seat-dealt-out", "stands", "35D1"),
    Case("pitch 4 1 2 3 4 1 2 3; wait 3; 3 call", "too-few-cards", "next-card", "37a 37b"),
    Case("pitch 5 1 2 3 4 5 1 3 4 5; 3 call", "too-few-cards", "misdeal", "35A5"),
    Case("pitch 4 1 2 3 4 1 2 3 4 1; wait 3", "extra-card", "misdeal", "35A5"),
    Case("pitch 4 1 2 3 4 1 2 3 4 1; wait 3; 3 call; 4 call", "extra-card", "dead-hand", "38b"),
    Case("pitch 4 1 2 3 4 1 2 3 4 1 2; wait 3", "extra-cards", "misdeal", "35A5"),
    Case("deal 6; exposed 1 1; wait 1", "exposed-first-card", "misdeal", "35A7"),
    Case("deal 6; exposed 1 1; 3 fold; 4 call; wait 1", "exposed-first-card", "stands", "35D1"),
    Case("deal 6; exposed 1 1; 3 fold; 4 fold; wait 1", "exposed-first-card", "misdeal", "35A7"),
    Case("pitch 4 1 2 3 4; exposed 3 1; wait 1", "exposed-card", "floor", "01 RP14"),
    Case("pitch 4 1 2 3 4; boxed 4 1; wait 1", "boxed-card", "floor", "01"),
    Case("pitch 4 1 2 3; strange X1 seat/4; wait 1", "joker", "misdeal", "35A6"),
    Case(
        "pitch 4 1 2 3; strange OTHER seat/4; also 1 2 3 4; wait 2",
        "foreign-card",
        "misdeal",
        "35A6",
    ),
    Case("pitch 4 1 3 2 4 1 2 3 4; wait 3", "out-of-sequence", "floor", "01"),
    Case("deal 4; preflop; burn; board 4; wait 2", "four-card-flop", "floor-pick", "39A"),
    Case("deal 4; preflop; burn; board 5; wait 2", "four-card-flop", "floor", "01 RP14"),
    Case("deal 3; preflop; board 3; wait 3", "burn-missing", "floor-pick", "39B1"),
    Case("deal 3; preflop; board 3; wait 3; 1 check", "burn-missing", "stands", "39B2"),
    Case("deal 3; preflop; burn; board 3; checks; board; wait 3", "burn-missing", "floor", "01"),
    Case("deal 3; 3 call; 1 call; burn; wait 3", "burn-premature", "hold-burn", "RP5"),
    Case(
        "deal 3; 3 call; 1 call; burn; board 3; wait 3", "premature-flop", "redeal-flop", "RP5A 39D"
    ),
    Case(
        "pitch 4 1 2 3 4 1 2 3; wait 3; 3 call; 4 call; wait 2", "too-few-cards", "dead-hand", "37c"
    ),
    Case(
        "pitch 3 1 2; deals 3; also 1 2 3; wait 1; lift x1; lay x1 stub; wait 2; 3 call; wait 3",
        "wrong-card-count",
        "dead-hand",
        "37c",
    ),
    Case(
        "pitch 5 1 2 3 4 5 1 2 3 4; wait 3; 3 call; 4 call; wait 1",
        "too-few-cards",
        "next-card",
        "37b",
    ),
    Case(
        "pitch 6 1 2 3 4 5 6 1 2 3 4 6; wait 3; 3 fold; 4 call; wait 2",
        "too-few-cards",
        "dead-hand",
        "38b",
    ),
    Case(
        "deal 6; exposed 1 1; 3 fold; 4 fold; 5 fold; wait 1",
        "exposed-first-card",
        "stands",
        "35D1",
    ),
    Case("deal 6; 4 fold; wait 1; 3 raise 40; wait 2", "out-of-turn", "binding", "53A3 58"),
    Case(
        "deal 4; preflop; burn; board 3; 2 check; wait 2; 1 bet 20; wait 1",
        "out-of-turn",
        "not-binding",
        "53A2",
    ),
    Case("deal 6; 4 raise 40; wait 2; 3 fold; wait 2", "out-of-turn", "binding", "53A1"),
    Case(
        "deal 4; preflop; burn; board 3; checks; burn; board; wait 6; 1 bet 60; 3 check; "
        "4 call 60; wait 6",
        "skipped-player",
        "floor",
        "53B1 53B2",
    ),
    Case(
        "deal 3; preflop; burn; board 3; checks; board; wait 2; 1 check",
        "burn-missing",
        "stands",
        "38a 38c",
    ),
    Case(
        "deal 4; 3 raise 100; wait 2; muck 3; wait 2; rules dead-hand",
        "out-of-turn",
        "dead-hand",
        "65A1 65A2",
    ),
    Case(
        "deal 3; muck 3; wait 3; lift 4s; lay 4s seat/3; wait 3",
        "muck-retrieved",
        "floor",
        "14 65A1",
    ),
    Case("pitch 4 1 2 3 4; boxed 4 1; boxed 3 1; wait 1", "boxed-cards", "misdeal", "35A1"),
    Case(
        "deal 2; preflop; burn; board 3; 1 check; burn; board; wait 3",
        "premature-turn",
        "reshuffle-street",
        "RP5B 39D",
    ),
    Case(
        "deal 2; preflop; burn; board 3; checks; burn; board; 1 check; burn; board; wait 3",
        "premature-river",
        "reshuffle-street",
        "RP5C 39D",
    ),
    Case("deal 3; preflop; burn; board 2; wait 4", "short-flop", "floor", "01"),
    Case(
        "deal 3; preflop; burn; board 3; wait 2; lift x3; wait 3",
        "board-disturbed",
        "restore",
        "01",
    ),
    Case(
        "deal 4; 3 call; 4 call; drop seat/1; drop seat/1; drop seat/2; wait 2",
        "stub-fouled",
        "restore",
        "RP4A RP4B 39D",
    ),
    Case("deal 6; 4 call; wait 1; 3 fold; wait 1", "out-of-turn", "binding", "53A1"),
    Case("deal 6; 4 raise 40; wait 2; 3 raise 60; wait 2", "out-of-turn", "not-binding", "53A2"),
    Case("deal 6; 3 raise 30; 5 call; 6 fold; wait 6", "skipped-player", "floor", "53B1 53B2"),
    Case("deal 6; 3 raise 40; clock 4; wait 33", "clock-expired", "dead-hand", "29d"),
    Case("deal 6; 3 raise 40; floor-clock 4 10; wait 11", "clock-expired", "dead-hand", "29d"),
    Case(
        "pitch 4 1 2; deals 3; also 4 1 2 3 4; 3 call; 4 call; lift x1; lay x1 seat/4; wait 3",
        "fouled-hand",
        "restore",
        "65B",
    ),
]


def rulings(talk: Talk, code: str) -> list[RulingText]:
    found = next(e for e in talk.events if isinstance(e, Finding) and e.code == code)
    later = [e.ruling for e in talk.events if isinstance(e, Ruling) and e.id == found.id]
    return [found.ruling, *later]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.code} {case.outcome}")
def test_a_ruling(library: Library, case: Case) -> None:
    talk = Talk(library, BOOK)
    talk.tell(case.log)
    last = rulings(talk, case.code)[-1]
    assert last.outcome == case.outcome
    assert last.rulebook == BOOK
    assert {f"TDA24-{cite}" for cite in case.cites.split()} <= set(last.cites)


LEARNER = {"routine": {"learner": True}}
RIVER = "deal 3; preflop; burn; board 3; checks; burn; board; checks; burn; board; wait 3"


@pytest.mark.parametrize(
    ("log", "told"),
    [
        pytest.param("deal 3; wait 1", ["two-cards", "bets-stay"], id="02b 37a RP2A"),
        pytest.param("deal 3; 3 raise 30; wait 1", ["say-bet", "one-motion"], id="RP12A 56"),
        pytest.param("deal 3; 3 raise; wait 1", ["say-amount", "amount-first"], id="RP12A 50B"),
        pytest.param(
            "deal 3; 3 all-in; wait 1", ["all-in-button", "count-if-asked"], id="RP1 60b RP12B"
        ),
        pytest.param(
            "deal 4; 3 call; 4 raise 40; 1 fold; 2 fold; wait 1", ["prior-chips"], id="46A"
        ),
        pytest.param(f"{RIVER}; checks; wait 1", ["show-first", "both-cards"], id="17A2 13A 19"),
        pytest.param(
            f"{RIVER}; 1 check; 2 bet 20; 3 call; 1 call",
            ["show-first", "may-see"],
            id="17A1 18A 18B1 EX18-2",
        ),
        pytest.param(f"{RIVER}; checks; wait 1", ["see-floor"], id="18B2 EX18-1"),
        pytest.param(
            f"{RIVER}; checks; tabled 1; tabled 2; tabled 3; wait 1; award",
            ["read-hand", "speak-up", "disputes", "disputes-count"],
            id="12a 12b 12c 22a 22b 22c",
        ),
        pytest.param(
            "pitch 4 1 2 3; misdeal; wait 3; collect; riffle; wait 1", ["same-deal"], id="35C1"
        ),
    ],
)
def test_the_routine(library: Library, log: str, told: list[str]) -> None:
    talk = Talk(library, BOOK, **LEARNER)
    talk.tell(log)
    assert set(told) <= {e.text_id for e in talk.events if isinstance(e, Prompt)}


def test_the_last_one_need_not_show(library: Library) -> None:
    """TDA24-17B."""
    talk = Talk(library, BOOK)
    talk.tell(f"{RIVER}; checks; muck 1; muck 2; wait 3")
    said = [(e.text_id, e.args) for e in talk.events if isinstance(e, Prompt)]
    assert said[-1] == ("award-last", {"seat": 3})


@pytest.mark.parametrize(
    ("log", "told"),
    [
        ("deal 4; 3 fold; 4 fold; 1 fold; wait 1", None),
        ("deal 4; 3 call 6; wait 1", "call-made-up"),
        ("deal 4; 3 raise 40; 4 call 30; wait 1", "call-short"),
    ],
    ids=["none", "51B1", "51B2"],
)
def test_an_under_call_is_told_of(library: Library, log: str, told: str | None) -> None:
    """TDA24-51B1, TDA24-51B2: the first bet of a round is called in full, else the floor rules."""
    talk = Talk(library, BOOK)
    talk.tell(log)
    said = {e.text_id for e in talk.events if isinstance(e, Prompt)}
    assert said & {"call-made-up", "call-short"} == ({told} if told else set())


def test_an_unburned_flop_is_made_good_with_one_drawn_and_the_stubs_top_card(
    library: Library,
) -> None:
    """TDA24-39B1: one of the three goes to the burns, and the stub's top card joins the others."""
    talk = Talk(library, BOOK)
    talk.tell("deal 3; preflop; board 3; wait 3; confirm; lift x1 x2 x3; floor; wait 2; pick x2")
    talk.tell("lay x2 burn; lay x1 board; lay x3 board; wait 2; board; wait 3; checks")
    talk.tell("burn; board; checks; burn; board; checks; wait 1")
    closed = [e.how for e in talk.events if isinstance(e, Closed)]
    assert closed == ["remedied"]
    assert [e.code for e in talk.events if isinstance(e, Finding)] == ["burn-missing"]
    phases = [e.phase for e in talk.events if isinstance(e, Phase)]
    assert phases[-4:] == ["flop", "turn", "river", "showdown"]


def test_a_premature_turn_is_dealt_anew_without_a_burn_and_the_river_has_its_own(
    library: Library,
) -> None:
    """TDA24-RP5B: three burns in all."""
    talk = Talk(library, BOOK)
    talk.tell("deal 2; preflop; burn; board 3; 1 check; burn; board; wait 3; confirm; 2 check")
    talk.tell("lift x6; wait 2; reshuffled; board; wait 3; checks; burn; board; wait 2; checks")
    assert [e.code for e in talk.events if isinstance(e, Finding)] == ["premature-turn"]
    assert [e.how for e in talk.events if isinstance(e, Closed)] == ["remedied"]
    prompts = [e.text_id for e in talk.events if isinstance(e, Prompt)]
    anew = prompts.index("shuffle-stub")
    assert prompts[anew + 1] == "deal-street"
    assert prompts.count("burn-and-deal") == 2, "the flop's and the river's: the turn's stays"


@pytest.mark.parametrize(
    ("facing", "chips", "kind", "to"),
    [
        (Facing(big=500, bet=1200, increment=700), (1000, 1000), "call", 1200),
        (Facing(big=500, bet=1100, increment=600), (500, 1000), "call", 1100),
        (Facing(big=500, bet=1100, increment=600), (1000, *[100] * 5), "raise", 1700),
        (Facing(big=500, bet=1100, increment=600), (1000, *[100] * 3), "call", 1100),
        (Facing(big=700, bet=1400, increment=1400, behind=9000), (1000, *[500] * 3), "raise", 2800),
        (
            Facing(big=700, bet=1400, increment=1400, behind=2500),
            (1000, *[500] * 3),
            "all-in",
            2500,
        ),
        (Facing(big=700, bet=1400, increment=1400, behind=9000), (1000, 500, 500), "call", 1400),
        (Facing(big=700, bet=1400, increment=1400, behind=2000), (1000, 500, 500), "all-in", 2000),
        (Facing(big=50, bet=600, increment=550, own=50), (1000,), "call", 600),
        (Facing(big=50, bet=600, increment=550, own=50), (500, 500), "call", 600),
        (Facing(big=50, bet=600, increment=550, own=50), (100, 500), "call", 600),
        (Facing(big=200, bet=325, increment=325), (500, 25), "raise", 650),
    ],
    ids=[
        *("EX45-1A", "EX45-1B", "EX45-2", "EX45-3", "EX45-4A", "EX45-4A last", "EX45-4B"),
        *("EX45-4B last", "EX46-1 one chip", "EX46-1 two 500s", "EX46-1 100 and 500", "61"),
    ],
)
def test_the_rules_own_examples_of_chips(
    library: Library, facing: Facing, chips: tuple[int, ...], kind: str, to: int
) -> None:
    judged = judge(library.book(BOOK).betting, facing, Wager(motions=(chips,)))
    assert (judged.kind, judged.to) == (kind, to)


def test_the_earlier_chips_count_where_one_new_chip_can_be_spared(library: Library) -> None:
    """TDA24-EX46-1: 1,000 and 500 on the big blind's two 25s, 1,550 in all, facing 600."""
    facing = Facing(big=50, bet=600, increment=550, own=50)
    judged = judge(library.book(BOOK).betting, facing, Wager(motions=((1000, 500),)))
    assert (judged.kind, judged.to) == ("raise", 1550)


TWO_25S = Facing(big=50, bet=600, increment=550, own=50)
A_1000 = Facing(big=100, bet=700, increment=600, own=100)


@pytest.mark.parametrize(
    ("facing", "wager", "expected"),
    [
        # One of the two 25s was pulled back: 1,025 and 625 in all.
        (TWO_25S, Wager(lying=(25,), motions=((1000,),)), ("raise", 1150, 0)),
        (TWO_25S, Wager(lying=(25,), motions=((500, 100),)), ("call", 600, 25)),
        # The big blind's 1,000 chip lies there, the raise is to 700.
        (A_1000, Wager(lying=(1000,), motions=((500,),)), ("raise", 1500, 0)),
        (A_1000, Wager(lying=(1000,), motions=((100,),)), ("raise", 1300, 0)),
        (A_1000, Wager(lying=(1000,), motions=((10,),)), ("raise", 1300, 0)),
        # All of it untouched, and less than a call: as if nothing was said of it.
        (TWO_25S, Wager(lying=(25, 25), motions=((1000,),)), ("call", 600, 450)),
    ],
    ids=["EX46-3", "EX46-3 less", "EX46-4", "EX46-4 a hundred", "EX46-4 ten", "EX46-1"],
)
def test_what_lies_there_of_an_earlier_bet(
    library: Library, facing: Facing, wager: Wager, expected: tuple[str, int, int]
) -> None:
    """TDA24-46C2: partly pulled back or a call already, all of it together is judged."""
    judged = judge(library.book(BOOK).betting, facing, wager)
    assert (judged.kind, judged.to, judged.back) == expected
    assert ("TDA24-46C2" in judged.cites) is (wager.lying != (25, 25))


def test_who_has_pulled_some_chips_back_does_not_fold(library: Library) -> None:
    """TDA24-46B."""
    for motions in ((), ((100,),)):
        wager = Wager(word="fold", lying=(25,), motions=motions)
        judged = judge(library.book(BOOK).betting, TWO_25S, wager)
        assert (judged.kind, judged.cites) == (None, ("TDA24-46B",))
        assert judged.options == (Option("call", 600), Option("raise", 1150))


def test_words_and_chips_at_once_that_disagree_are_the_floors(library: Library) -> None:
    """TDA24-40A2, with what TDA24-40A1 prefers first; what came first is the bet (TDA24-40A1)."""
    rules, facing = library.book(BOOK).betting, Facing(big=100, bet=200, increment=200)
    said = Wager(word="raise", amount=1000, motions=((500, 100),))
    assert judge(rules, facing, said).to == 1000
    assert judge(rules, facing, replace(said, first="chips")).to == 600
    judged = judge(rules, facing, replace(said, first="together"))
    assert (judged.asks, judged.cites) == ("floor", ("TDA24-40A1", "TDA24-40A2"))
    assert judged.options == (Option("raise", 1000), Option("raise", 600))
    judged = judge(rules, facing, replace(said, amount=1, unclear=True, first="together"))
    assert judged.asks == "floor"
    assert judged.options[0] == Option("raise", 600)
    assert judge(rules, facing, replace(said, amount=600, first="together")).to == 600
    assert judge(rules, facing, replace(said, amount=None, first="together")).to == 600
    called = judge(rules, facing, replace(said, word="call", amount=None, first="together"))
    assert called.options == (Option("call", 200), Option("raise", 600))


def test_under_calls_running_go_back_to_the_first(library: Library) -> None:
    """TDA24-51C: he corrects his, and the floor decides about the later hands."""
    rules, facing = library.book(BOOK).betting, Facing(big=100, bet=400, increment=400)
    opening = replace(facing, is_opening=True)
    assert judge(rules, opening, Wager(motions=((200,),))).kind == "call"
    judged = judge(rules, opening, Wager(motions=((200,),), running=True))
    assert (judged.why, judged.asks, judged.cites) == ("running", "floor", ("TDA24-51C",))
    assert judged.options == (Option("call", 400), Option("void"))


def test_who_under_calls_and_folds_may_leave_the_bet_of_before(library: Library) -> None:
    """TDA24-EX51-4: a silent 500 facing a raise from 400 to 1,200: 400 stay, 100 go back."""
    facing = Facing(big=200, bet=1200, increment=800)
    judged = judge(library.book(BOOK).betting, facing, Wager(motions=((500,),)))
    assert judged.asks == "floor"
    assert judged.options == (Option("call", 1200), Option("fold", 500), Option("fold", 400))
    assert judged.cites == ("TDA24-51B1", "TDA24-51B2", "TDA24-EX51-4")
    judged = judge(library.book("uk-tda").betting, facing, Wager(motions=((500,),)))
    assert judged.options == (Option("call", 1200), Option("fold", 500))


def test_five_is_the_most_that_is_not_above_the_pot(library: Library) -> None:
    """TDA24-57b: 500 at 200-400, and 5,000 from a pot of 5,000 on."""
    rules = library.book(BOOK).betting
    for pot, to in ((600, 500), (4999, 500), (5000, 5000)):
        facing = Facing(big=400, pot=pot)
        judged = judge(rules, facing, Wager(word="bet", amount=5, unclear=True))
        assert (judged.kind, judged.to, judged.cites) == ("bet", to, ("TDA24-57b",))
    judged = judge(rules, Facing(big=400), Wager(word="bet", amount=5, unclear=True))
    assert judged.asks == "floor"


def test_no_raise_in_two_motions(library: Library) -> None:
    """TDA24-42: the two-motion raise went."""
    facing = Facing(big=100, bet=1000, increment=1000)
    wager = Wager(word="raise", motions=((1000,), (2000,)))
    judged = judge(library.book(BOOK).betting, facing, wager)
    assert (judged.kind, judged.to, judged.back) == ("raise", 2000, 1000)


def test_nothing_of_it_is_said_to_be_verified(library: Library) -> None:
    """Somebody with the printed rules has yet to check it."""
    book = library.book(BOOK)
    assert not book.verified
    assert library.title(BOOK) == "TDA 2024 (not verified)"
    assert all(library.book(name).verified for name in library.ids if name != BOOK)


def test_all_its_rules_are_in_the_catalogue(library: Library) -> None:
    of_it = [rule for rule in library.summaries if rule.startswith("TDA24-")]
    assert len(of_it) == 303


@pytest.mark.parametrize(("book", "button"), [(BOOK, 2), ("roberts", 4)])
def test_after_a_hand_from_the_wrong_place(library: Library, book: str, button: int) -> None:
    """TDA24-34A2: the button goes on from there; RR7-IRR-1: the hand's own place is due again."""
    talk = Talk(library, book, objects={"PUCK": "button"})
    talk.tell("table 4; puck 1; pitch 4 2 3 4 1 2 3 4 1; 4 call; 1 call; 2 fold; 3 check; wait 2")
    talk.tell("4 fold; 1 fold; collect; wait 2; riffle")
    first, second = (event for event in talk.events if isinstance(event, Start))
    assert (first.button, second.button) == (4, button)


@pytest.mark.parametrize(
    ("facing", "word", "amount", "expected"),
    [
        (Facing(big=100), "call", None, ("check", 0)),
        (Facing(big=100), "raise", 50, ("bet", 100)),
        (Facing(big=100), "raise", 250, ("bet", 250)),
    ],
)
def test_a_word_that_does_not_fit(
    library: Library, facing: Facing, word: Word, amount: int | None, expected: tuple[str, int]
) -> None:
    """TDA24-55A and -55B."""
    judged = judge(library.book(BOOK).betting, facing, Wager(word=word, amount=amount))
    assert (judged.kind, judged.to) == expected
    assert {"TDA24-55A", "TDA24-55B"} <= set(judged.cites)


def test_a_check_that_faces_a_bet_leaves_call_or_fold(library: Library) -> None:
    """TDA24-55c."""
    facing = Facing(big=100, bet=200, increment=200)
    judged = judge(library.book(BOOK).betting, facing, Wager(word="check"))
    assert (judged.kind, judged.asks) == (None, "player")
    assert [option.kind for option in judged.options] == ["call", "fold"]
    assert "TDA24-55c" in judged.cites


@pytest.mark.parametrize(("book", "callers"), [(BOOK, [10, 10, 10]), ("roberts", [])])
@pytest.mark.parametrize("street", ["", "; burn; board; wait 3; checks; burn; board; wait 3"])
def test_a_short_bet_is_corrected_until_the_next_card(
    library: Library, book: str, callers: list[int], street: str
) -> None:
    """TDA24-52A, on the river before the showdown; by RR7-BET-16 only until the round is over."""
    talk = Talk(library, book)
    talk.tell(f"deal 4; preflop; burn; board 3; wait 3{'; checks' if street else ''}{street}")
    talk.tell("1 bet 5; 2 call; 3 call; 4 call; wait 1")
    before = len(talk.events)
    talk.tell("dealt 1 bet 10; wait 1")
    actions = [e for e in talk.events[before:] if isinstance(e, Action)]
    assert [e.amount for e in actions if e.action == "call"] == callers
    assert not [e for e in talk.events if isinstance(e, Finding)]


def test_once_the_next_card_is_out_it_stands(library: Library) -> None:
    """TDA24-52A."""
    talk = Talk(library, BOOK)
    talk.tell(
        "deal 4; preflop; burn; board 3; wait 3; 1 bet 5; 2 call; 3 call; 4 call; burn; wait 2"
    )
    before = len(talk.events)
    talk.tell("dealt 1 bet 10; wait 1")
    assert not [e for e in talk.events[before:] if isinstance(e, Action)]


@pytest.mark.parametrize(
    ("clock", "seconds"),
    [
        ("clock 4", 20.0),
        ("floor-clock 4 8", 8.0),
        ("floor-clock 4 45", 45.0),
        ("clock 4; floor-clock 4 8", 8.0),
    ],
)
def test_the_time_is_the_houses_and_for_one_player_the_floors(
    tmp_path: Path, clock: str, seconds: float
) -> None:
    """TDA24-29f: the director changes the time, and is shorter with who delays again and again."""
    house = tmp_path / "house.toml"
    house.write_text(
        f'id = "house"\ntitle = "Ours"\nover = "{BOOK}"\nfills = ["TDA24-01"]\n'
        "[clock]\nseconds = 15\ncount = 5\n"
    )
    talk = Talk(open_library(CONFIG), str(house))
    talk.tell(f"deal 6; 3 raise 40; {clock}")
    called = [event for event in talk.events if isinstance(event, Clock)][-1]
    assert called.until - called.t == pytest.approx(seconds)
    talk.tell(f"wait {seconds - 0.5}")
    assert not [event for event in talk.events if isinstance(event, Finding)]
    warned = [e for e in talk.events if isinstance(e, Prompt) and e.text_id == "clock-warning"]
    assert [one.args["seconds"] for one in warned] == [5], "it is the count (TDA24-29c)"
    talk.tell("wait 1")
    [finding] = [event for event in talk.events if isinstance(event, Finding)]
    assert finding.code == "clock-expired"


def test_who_faces_no_bet_when_the_time_is_up_has_checked(library: Library) -> None:
    """TDA24-29d; RR7-DEAD-1f only has that hand live."""
    for book, told in ((BOOK, "time-checks"), ("roberts", "time-is-up")):
        talk = Talk(library, book)
        talk.tell("deal 4; preflop; burn; board 3; clock 1; wait 75")
        prompts = [e.text_id for e in talk.events if isinstance(e, Prompt) and "time" in e.text_id]
        assert prompts == [told]
        assert not [event for event in talk.events if isinstance(event, Finding)]


HAND = "deal 4; 4 fold; 1 fold; 2 fold; collect; wait 2"


def test_a_dealer_who_signs_in_amid_a_hand_was_not_pushed_in(library: Library) -> None:
    """TDA24-23d speaks of a level that begins during the push."""
    talk = Talk(library, BOOK)
    talk.tell(f"{HAND}; dealer Bob; deal 4; dealer Ann; 4 fold; 1 fold; 2 fold; level 10 20")
    talk.tell(f"collect; wait 2; {HAND}")
    starts = [event for event in talk.events if isinstance(event, Start)]
    assert [start.blinds.big for start in starts] == [10, 10, 20]


@pytest.mark.parametrize(
    ("book", "told", "levels"),
    [
        (BOOK, "dealer Ann; level 10 20; wait 2", [10, 20]),
        (BOOK, "level 10 20; dealer Ann; wait 2", [20, 20]),
        (BOOK, "dealer Ann; break; level 10 20; go; wait 2", [20, 20]),
        (BOOK, "dealer Ann; level 8 16; level 10 20; wait 2", [10, 20]),
        (BOOK, "break; dealer Ann; level 10 20; go; wait 2", [20, 20]),
        (BOOK, "dealer Ann; level 10 20; break; go; wait 2", [20, 20]),
        ("uk-tda", "dealer Ann; level 10 20; wait 2", [10, 20]),
        ("tda-2009", "dealer Ann; level 10 20; wait 2", [20, 20]),
    ],
)
def test_a_level_that_begins_during_a_push_waits_for_one_hand(
    library: Library, book: str, told: str, levels: list[int]
) -> None:
    """TDA24-23d, and UK-21: a hand begins on the dealer push; the other books know the riffle."""
    talk = Talk(library, book)
    talk.tell(f"{HAND}; dealer Bob; {HAND}; {told}; {HAND}; {HAND}")
    starts = [event for event in talk.events if isinstance(event, Start)]
    assert [start.blinds.big for start in starts] == [10, 10, *levels]
    waits = [e for e in talk.events if isinstance(e, Prompt) and e.text_id == "level-waits"]
    assert len(waits) == (levels[0] == 10)


TWINS = {"A": "As", "B": "As", **{card: card for card in CARDS if card != "As"}}
PLAYED = (
    "pitch 3; strange A seat/1; also 2 3; strange B seat/1; also 2 3; wait 2; 3 call; 1 call;"
    " 2 check; burn; board 3; wait 3; checks; burn; board; wait 3; checks; burn; board; wait 3;"
    " checks; tabled 1; tabled 2; tabled 3; award; wait 3"
)


def closings(talk: Talk) -> list[str]:
    return [event.how for event in talk.events if isinstance(event, Closed)]


@pytest.mark.parametrize(("book", "open_after"), [(BOOK, True), ("roberts", False)])
def test_a_fouled_deck_may_be_disputed_until_the_next_hand(
    library: Library, book: str, open_after: bool
) -> None:
    """TDA24-35E4 with TDA24-22a: not once the next hand has begun."""
    talk = Talk(library, book, deck=TWINS)
    talk.tell(PLAYED)
    assert [event.code for event in talk.events if isinstance(event, Finding)] == ["duplicate-card"]
    assert bool(closings(talk)) is not open_after
    talk.tell("collect; wait 2; riffle")
    assert closings(talk) == ["expired"]
    before = len(talk.events)
    talk.tell("rules void-hand")
    assert [event.text_id for event in talk.events[before:] if isinstance(event, Prompt)] == [
        "ruling-too-late"
    ]


def test_what_is_void_after_the_award_is_dealt_again(library: Library) -> None:
    """TDA24-35E3: all bets go back."""
    talk = Talk(library, BOOK, deck=TWINS)
    talk.tell(f"{PLAYED}; rules void-hand; collect; wait 2; riffle")
    assert closings(talk) == ["ruled"]
    first, again = (event for event in talk.events if isinstance(event, Start))
    assert (again.redeal_of, again.button, again.seats) == (1, first.button, first.seats)
    result = [event for event in talk.events if isinstance(event, Result)][-1]
    assert (result.hand, result.awards) == (1, None)
    assert result.stacks == {str(seat): 1000 for seat in (1, 2, 3)}
    assert "collect-void" in [e.text_id for e in talk.events if isinstance(e, Prompt)]


@pytest.mark.parametrize(
    ("rulings", "redeal"), [(["stands", "void-hand"], 1), (["void-hand", "stands"], None)]
)
def test_the_floor_may_decide_otherwise_until_the_next_hand(
    library: Library, rulings: list[str], redeal: int | None
) -> None:
    """RR7-DEC-5."""
    talk = Talk(library, BOOK, deck=TWINS)
    talk.tell(PLAYED)
    for outcome in rulings:
        talk.say(kind="floor", input="ruling", finding=1, outcome=outcome, by="Ann")
    talk.tell("collect; wait 2; riffle")
    assert closings(talk) == ["ruled", "ruled"]
    assert "ruling-too-late" not in [e.text_id for e in talk.events if isinstance(e, Prompt)]
    again = [event for event in talk.events if isinstance(event, Start)][-1]
    assert again.redeal_of == redeal
    assert {seat.stack for seat in again.seats} == {1000 if redeal else None}


def test_what_stands_after_the_award_stands(library: Library) -> None:
    talk = Talk(library, BOOK, deck=TWINS)
    talk.tell(f"{PLAYED}; rules stands; collect; wait 2; riffle")
    assert closings(talk) == ["ruled"]
    ruling = [event for event in talk.events if isinstance(event, Ruling)][-1].ruling
    assert ruling.outcome == "stands"
    again = [event for event in talk.events if isinstance(event, Start)][-1]
    assert again.redeal_of is None


@pytest.mark.parametrize("street", ["flop", "turn"])
def test_a_strange_card_on_the_board_is_a_scrap_of_paper(library: Library, street: str) -> None:
    """TDA24-35D2: once there has been substantial action it is set aside, and the next card is in
    its place; RR7-IRR-3 voids the hand."""
    before = "deal 4; preflop; burn; board 2"
    if street == "turn":
        before = "deal 4; preflop; burn; board 3; wait 3; checks; burn"
    for book, outcome in ((BOOK, "replace-card"), ("roberts", "void-hand")):
        talk = Talk(library, book)
        talk.tell(f"{before}; strange OTHER board; wait 2")
        [finding] = [event for event in talk.events if isinstance(event, Finding)]
        assert (finding.code, finding.ruling.outcome) == ("foreign-card", outcome)
        if book == BOOK:
            assert finding.ruling.cites == ("TDA24-35D2",)
            assert [step.id for step in finding.ruling.steps] == [
                "strange-is-scrap",
                "next-card-instead",
            ]
            talk.tell("lift OTHER; wait 2; board; wait 3")
            [closed] = [event for event in talk.events if isinstance(event, Closed)]
            assert closed.how == "remedied"
            rest = "checks; burn; board; wait 3; " * (2 if street == "flop" else 1)
            talk.tell(f"{rest}checks; tabled 1; tabled 2; tabled 3; tabled 4; award")
            assert len([event for event in talk.events if isinstance(event, Finding)]) == 1


def test_two_strange_cards_on_the_board_are_two_scraps(library: Library) -> None:
    """TDA24-35D2."""
    talk = Talk(library, BOOK)
    talk.tell("deal 4; preflop; burn; board 1; strange OTHER board; strange ANOTHER board; wait 2")
    [finding] = [event for event in talk.events if isinstance(event, Finding)]
    talk.tell("lift OTHER ANOTHER; wait 2; board 2; wait 3")
    assert closings(talk) == ["remedied"]
    talk.tell("checks; burn; board; wait 3; checks; burn; board; wait 3; checks")
    assert [event for event in talk.events if isinstance(event, Finding)] == [finding]


def test_a_strange_card_in_the_muck_has_no_next_card_in_its_place(library: Library) -> None:
    talk = Talk(library, BOOK)
    talk.tell("deal 4; 3 call; 4 call; strange OTHER muck; wait 2")
    rulings = [e.ruling.outcome for e in talk.events if isinstance(e, Finding | Ruling)]
    assert rulings[-1:] == ["floor"]


def test_who_holds_a_strange_card_after_substantial_action_is_for_the_floor(
    library: Library,
) -> None:
    """TDA24-35D2 says only what the card is, and RR7-IRR-3 of it the opposite."""
    talk = Talk(library, BOOK)
    talk.tell("pitch 4 1 2 3; strange OTHER seat/4; also 1 2 3 4; 3 call; 4 call")
    ruling = [event for event in talk.events if isinstance(event, Ruling)][-1].ruling
    assert (ruling.outcome, ruling.cites) == ("floor", ("TDA24-35D2",))
    assert ruling.advisory is None
