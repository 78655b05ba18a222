"""The readable form of `cutcard replay`, whole: `accounts/*.txt` are its golden outputs.

An account that is not there is written, and its test fails once: read it aloud before it is kept.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from controller.__main__ import main
from controller.contract.events import (
    OUTCOMES,
    Action,
    Blinds,
    Closed,
    Event,
    Finding,
    FloorCalled,
    FloorComing,
    Phase,
    Pot,
    Prompt,
    Result,
    Ruling,
    RulingText,
    Start,
    StartSeat,
    Step,
)
from controller.files.toml_file import ConfigError
from controller.library.books import Library
from controller.replay.account import Account, open_account
from controller.replay.ledger import Ledger, names, place
from controller.replay.printing import WIDTH, fit
from controller.replay.words import read_words
from controller.rules import IRREGULARITIES
from controller.rules.rulebook import UNTIL
from tests.rules.cases import family, read_cases
from tests.rules.table_talk import Talk
from tests.waiting import PATIENCE_S

ROOT = Path(__file__).resolve().parents[2]
CONFIG = ROOT / "config"
ACCOUNTS = Path(__file__).with_name("accounts")
CASES = {
    "burn_double": ("after action it stands, and the second burn is the turn's", "roberts"),
    "burn_missing": ("on the floor's word the advice is followed", "uk-tda"),
    "burn_premature": ("it stays, and no second one is burned", "homepokertourney"),
    "button_misplaced": ("it is moved after the riffle", "roberts"),
    "card_count": ("one more, and then another", "roberts"),
    "clock_expired": ("a hand that the floor declares dead is out", "uk-tda"),
    "disturbed": ("it is put back", "tda-2009"),
    "faced": ("it is replaced and is the flop's burn", "homepokertourney"),
    "first_card_wrong_seat": ("a misdeal is called and the hand dealt again", "uk-tda"),
    "four_card_flop": ("the floor picks and no burn comes before the turn", "uk-tda"),
    "fouled_hand": ("the dealer mucks the hand", "roberts"),
    "stub_fouled": ("it falls into the muck", "uk-tda"),
    "wrong_card_count": ("the floor says that it is dead: the seat is out", "nl-2010"),
    "muck_retrieved": ("folded cards come back to their seat", "nl-2010"),
    "out_of_turn": ("the player before it raises: the early raise comes back", "tda-2009"),
    "premature": ("the flop is redealt without a burn", "homepokertourney"),
    "sequence": ("two running to the button under NL 2010", "nl-2010"),
    "short_flop": ("the dealer says it is there", "roberts"),
    "too_many": ("the floor has both set aside", "roberts"),
    "wrong_card": ("its holder has acted on it", "homepokertourney"),
}
"""One case of each family of findings, and the book it is judged by."""
ABROAD = ("clean", "out_of_turn", "burn_missing", "muck_retrieved")
"""The accounts that are read in every language."""
PEOPLE = {1: "Ann", 3: "Zoë", 9: "Bob"}


def clean_hand() -> bytes:
    """A real hand at which some players and the dealer are known by name."""
    hand = ROOT / "tests" / "hands" / "clean" / "pl_94_43-plain.jsonl"
    first, *rest = hand.read_bytes().splitlines()
    table = json.loads(first)
    for seat in table["seats"]:
        if seat["seat"] in PEOPLE:
            seat["player"] = PEOPLE[seat["seat"]]
    table["blinds"]["ante"] = 10
    sign_in = {"kind": "dealer", "input": "sign-in", "t": 0.5, "name": "Eve"}
    return b"\n".join([json.dumps(table).encode(), json.dumps(sign_in).encode(), *rest])


def case_log(library: Library, name: str) -> bytes:
    wanted, book = CASES[name]
    cases = read_cases((ROOT / "controller" / "rules" / f"{name}.toml").read_bytes())
    case = next(case for case in cases if case.name == wanted and book in case.books)
    talk = Talk(library, book, **case.table)
    talk.tell(case.log)
    return b"\n".join(talk.log)


def told(log: bytes, folder: Path, capsys: pytest.CaptureFixture[str], language: str = "en") -> str:
    path = folder / "log.jsonl"
    path.write_bytes(log)
    assert main(["replay", str(path), "--language", language]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("name", ["clean", *CASES])
def test_an_account_reads_as_it_was_read_before(
    library: Library, name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = clean_hand() if name == "clean" else case_log(library, name)
    read_before(told(log, tmp_path, capsys), ACCOUNTS / f"{name}.txt")


@pytest.mark.parametrize("language", ["es", "fr", "de"])
@pytest.mark.parametrize("name", ABROAD)
def test_an_account_reads_so_in_another_language(
    library: Library, name: str, language: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = clean_hand() if name == "clean" else case_log(library, name)
    account = told(log, tmp_path, capsys, language)
    read_before(account, ACCOUNTS / language / f"{name}.txt")


def read_before(account: str, golden: Path) -> None:
    if not golden.exists():
        golden.parent.mkdir(exist_ok=True)
        golden.write_text(account, encoding="utf-8")
        pytest.fail(f"{golden} is new: read it")
    assert account == golden.read_text(encoding="utf-8")


def test_each_family_of_findings_has_an_account() -> None:
    assert set(CASES) == {family(rule) for rule in IRREGULARITIES}
    assert {path.stem for path in ACCOUNTS.glob("*.txt")} == {"clean", *CASES}


def test_no_line_is_too_long_for_a_page() -> None:
    for path in ACCOUNTS.rglob("*.txt"):
        lines = path.read_text(encoding="utf-8").splitlines()
        assert max(map(len, lines)) <= WIDTH, path
        assert [line for line in lines if line != line.rstrip()] == [], path


def test_no_hole_card_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    account = told(clean_hand(), tmp_path, capsys)
    log = [json.loads(line) for line in clean_hand().splitlines()]
    hole = {r["tag"] for r in log if r["kind"] == "seen" and r["zone"].startswith("seat/")}
    suits = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}
    printed = {tag[0].replace("T", "10") + suits[tag[1]] for tag in hole}
    assert len(printed) == 12
    assert not printed & set(account.replace(".", " ").split())


# --- any encoding ---


@pytest.mark.parametrize("settings", [{"PYTHONIOENCODING": "ascii"}, {"LC_ALL": "C"}])
def test_any_encoding_will_do(tmp_path: Path, settings: dict[str, str]) -> None:
    log = tmp_path / "log.jsonl"
    log.write_bytes(clean_hand())
    done = subprocess.run(
        [sys.executable, "-m", "controller", "replay", str(log)],
        env={**os.environ, **settings},
        capture_output=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    if "PYTHONIOENCODING" in settings:
        assert "The flop: 10s 7c 3d." in done.stdout.decode("ascii")
        assert "Seat 3 (Zoe) folds." in done.stdout.decode("ascii")


def test_a_line_that_fits_stays_as_it_is() -> None:
    assert fit("A♠ Zoë –", "utf-8") == "A♠ Zoë –"
    assert fit("A♠ Zoë –", "latin-1") == "As Zoe -"
    assert fit("A♠ 李", "ascii") == "As ?"


# --- what the events do not say in words ---


@pytest.fixture
def account(library: Library) -> Account:
    return open_account(library, CONFIG)


def start(*stacks: int | None, button: int = 1, hand: int = 1) -> Start:
    seats = tuple(StartSeat(seat, stack) for seat, stack in enumerate(stacks, 1))
    return Start(10.0, hand, seats, button, Blinds(5, 10))


def text(account: Account, *events: Event) -> str:
    return " ".join(line.strip() for line in account.tell(events))


def ruling(
    outcome: str = "stands", *, until: str | None = None, book: str = "roberts"
) -> RulingText:
    return RulingText(book, outcome, ("RRP-HE-3",), (Step("s", "Play on."),), until)


def test_what_has_no_word_is_called_by_its_id(account: Account) -> None:
    finding = Finding(
        12.0, 1, 1, "new-code", 3, "seen", (2,), (), ruling("odd", until="dawn", book="my-book")
    )
    said = text(
        account,
        start(100, 100, 100),
        finding,
        Prompt(12.0, 1, "new-prompt", {"seat": 2}),
        Action(13.0, 1, 2, "straddle", "press", 20),
        Prompt(13.0, 1, "undone", {"entry": "new-entry"}),
        Prompt(13.0, 1, "time-is-up", {}),
    )
    assert "*** FINDING 1: new-code new-code. Involved: seat 2." in said
    assert "my-book: odd. This can be done only until dawn." in said
    assert "Seat 2: straddle." in said
    assert "undoes the last entry: new-entry." in said
    assert "new-prompt" not in said


def test_a_control_character_in_a_name_is_not_printed(account: Account) -> None:
    seats = (StartSeat(1, 100, "A\x1b[31m" + "n" * 99), StartSeat(2, 100))
    lines = account.tell([Start(0.0, 1, seats, 1, Blinds(5, 10))])
    assert f"  Seat 1  A?[31m{'n' * 34}  100  button and small blind, posts 5" in lines


def test_who_calls_the_floor_and_who_comes(account: Account) -> None:
    account.tell([start(100, 100)])
    called = [FloorCalled(11.0, 1), FloorCalled(11.0, 1, "Eve")]
    coming = [FloorComing(12.0, 1), FloorComing(72.25, 1, "Max")]
    assert account.tell([*called, *coming]) == [
        "   0:01.0  The floor is called.",
        "   0:01.0  The floor is called by Eve.",
        "   0:02.0  A floorperson is coming.",
        "   1:02.2  Max is coming to the table.",
    ]


def test_what_is_found_between_two_hands_stands_before_the_coming_one(account: Account) -> None:
    found = Finding(3.0, 1, 1, "missing-card", 2, "seen", (), (), ruling())
    lines = account.tell([found])
    assert lines[0] == "BEFORE HAND 1"
    assert "      3.0  *** FINDING 1: Incomplete deck" in lines


def test_a_ruling_that_changes_says_from_what_to_what_and_after_what(account: Account) -> None:
    found = Finding(12.0, 1, 1, "short-flop", 2, "unseen", (), (), ruling("next-card"))
    account.tell([start(100, 100), found])
    said = text(
        account, Action(14.0, 1, 1, "check", "press"), Ruling(14.0, 1, 1, ruling("floor"), "seen")
    )
    assert "Finding 1 (Short flop) is now certain" in said
    assert (
        "has a new ruling after the action of seat 1. It was: the next card is given or turned up. "
        "Now it is: the floor decides." in said
    )
    said = text(account, Ruling(15.0, 1, 1, ruling("floor", until="award")))
    assert "its time limit has changed" in said
    assert "This can be done only until the pot is awarded." in said


def test_how_a_finding_was_closed_is_told_from_what_follows(account: Account) -> None:
    found = Finding(12.0, 1, 1, "short-flop", 2, "unseen", (), (), ruling("next-card"))
    account.tell([start(100, 100), found])
    closed = Closed(14.0, 1, 1, "ruled")
    assert "the floor has decided: the next card" in text(account, closed)
    assert "a misdeal was called" in text(account, closed, Phase(14.0, 1, "misdeal"))
    assert account.tell_one(closed)[-2].endswith("it was decided, by the floor or by a")
    expired = Closed(14.0, 1, 1, "expired")
    assert "a worse finding takes its place" in text(account, expired, found)
    assert "as the hand is over" in text(account, expired, Phase(14.0, 1, "complete"))


def test_several_hands_end_with_a_summary(account: Account) -> None:
    for hand in (1, 2, 3):
        found = Finding(12.0, hand, hand, "burn-missing", 2, "seen", (), (), ruling())
        account.tell([start(100, 100, hand=hand), found])
        if hand < 3:
            account.tell([Closed(14.0, hand, hand, "remedied")])
        account.tell([Phase(15.0, hand, "misdeal" if hand == 2 else "preflop")])
    assert account.end() == [
        "",
        "The log ends before hand 3 is over.",
        "Still open at the end of the log: Finding 3 (No burn card).",
        "",
        "=" * WIDTH,
        "SUMMARY",
        "3 hands, from number 1 to number 3.",
        "Misdeals: 1.",
        "3 x No burn card (burn-missing) in hands 1, 2 and 3: 2 fixed, 1 still open.",
    ]


# --- positions and chips ---


def test_positions_have_the_names_that_players_use() -> None:
    nine = start(*[100] * 9)
    named = names(place(nine, None), range(1, 10))
    assert [named[seat][0] for seat in (1, 2, 3, 4, 8, 9)] == [
        "button", "small", "big", "under-the-gun", "hijack", "cutoff",
    ]  # fmt: skip
    assert [named[seat] for seat in (5, 6, 7)] == [("under-the-gun-plus", n) for n in (1, 2, 3)]
    two = start(100, 100)
    assert names(place(two, None), (1, 2)) == {1: ("button-small", 0), 2: ("big", 0)}


def test_a_blind_is_dead_where_its_player_has_left(account: Account) -> None:
    account.tell([start(100, 100, 100, 100)])
    seats = tuple(StartSeat(seat, 100) for seat in (1, 2, 4))
    said = text(account, Start(50.0, 2, seats, 2, Blinds(5, 10)))
    assert "No small blind: nobody is dealt in at seat 3." in said
    assert "Seat 4  100  big blind, posts 10" in said
    seats = tuple(StartSeat(seat, 100) for seat in (1, 2, 4))
    said = text(account, Start(90.0, 3, seats, 3, Blinds(5, 10)))
    assert "Dead button: it lies at seat 3, where nobody is dealt in." in said
    assert "Seat 4  100  small blind, posts 5" in said


def test_an_amount_that_was_not_told_makes_the_pot_unknown(account: Account) -> None:
    account.tell([start(100, 100, 100)])
    account.tell([Phase(11.0, 1, "preflop")])
    said = text(account, Action(12.0, 1, 1, "raise", "dealer"))
    assert said.startswith(" BEFORE THE FLOP   (pot 15)")
    assert "Seat 1 raises, amount not known (entered by the dealer)." in said
    account.tell([Phase(13.0, 1, "flop")])
    assert "THE FLOP   (pot not known)" in text(account, Action(14.0, 1, 2, "fold", "muck"))


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", "The deal shows: seat 3 is out."),
        ("de", "Das Austeilen zeigt: Platz 3 ist raus."),
        ("fr", "La donne montre : siège 3 est sorti."),
        ("es", "El reparto muestra: asiento 3 está fuera."),
    ],
)
def test_what_a_deal_has_shown_is_told(library: Library, language: str, told: str) -> None:
    account = open_account(library, CONFIG, language)
    account.tell([start(100, 100, 100)])
    shown = {"out": [3], "in": [], "button": None}
    assert told in text(account, Prompt(12.0, 1, "taken-over", shown))


def test_what_a_deal_has_shown_leaves_the_pot_unknown(account: Account) -> None:
    account.tell([start(100, 100, 100)])
    shown = {"out": [3], "in": [4, 5], "button": 1}
    said = text(account, Prompt(12.0, 1, "taken-over", shown))
    assert "seat 3 is out, seat 4 plays, seat 5 plays and the button is at seat 1." in said
    account.tell([Phase(13.0, 1, "flop")])
    assert "THE FLOP   (pot not known)" in text(account, Action(14.0, 1, 2, "fold", "muck"))


def test_chips_that_go_back_leave_the_pot() -> None:
    first = start(100, 100, 100)
    ledger = Ledger(first, place(first, None))
    assert ledger.act(Action(12.0, 1, 1, "raise", "press", 40)) == (40, False)
    assert ledger.pot == 55
    ledger.doubt((1,))
    ledger.act(Action(13.0, 1, 1, "call", "press", 10))
    assert ledger.pot == 25
    ledger.act(Action(13.0, 1, 1, "fold", "press"))
    assert ledger.pot is None
    assert ledger.refund(Result(14.0, 1, (Pot(25, (2, 3)),))) is None


def test_a_killed_bettor_may_get_the_bet_back() -> None:
    first = start(100, 100, 100)
    ledger = Ledger(first, place(first, None))
    ledger.act(Action(12.0, 1, 1, "raise", "press", 40))
    ledger.act(Action(13.0, 1, 1, "fold", "muck"))
    assert ledger.pot == 55
    ledger.doubt((2,))
    assert ledger.pot == 55
    ledger.doubt((1,))
    assert ledger.pot is None


def test_side_pots_and_what_nobody_called(account: Account) -> None:
    account.tell([start(100, 40, 200)])
    account.tell([Phase(11.0, 1, "preflop")])
    said = text(
        account,
        Action(12.0, 1, 1, "all-in", "press", 100),
        Action(13.0, 1, 2, "call", "press", 40),
        Action(14.0, 1, 3, "raise", "press", 150),
        Result(
            15.0,
            1,
            (Pot(120, (1, 2, 3)), Pot(120, (1, 3))),
            {"2": 120, "3": 120},
            {"1": 0, "2": 120, "3": 170},
        ),
    )
    assert "Seat 2 calls 35 more, 40 in all and is all-in." in said
    assert "The uncalled 50 goes back to seat 3." in said
    assert "Main pot 120: between seat 1, seat 2 and seat 3." in said
    assert "Side pot 1, 120: between seat 1 and seat 3." in said
    assert "Seat 1    0  (-100)" in said


# --- the language file ---


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (("begins =", "begims ="), "unknown key account.begims; did you mean 'begins'?"),
        (("begins =", "#"), "key account.begins is missing"),
        (
            ("[account.until]", "[account.untill]"),
            "unknown section [account.untill]; did you mean 'account.until'?",
        ),
        (("[zones]", "[zones.x]"), "unknown section [zones.x]; did you mean 'zones'?"),
        (('action = "a player acts"', "action = 1"), "account.until.action is not text"),
        (
            ("Dealer: {name}", "Dealer: {nane}"),
            "account.dealer needs {name} ('{nane}'; did you mean 'name'?)",
        ),
        (("Dealer: {name}", "Dealer: {name"), "account.dealer: expected '}' before end of string"),
    ],
)
def test_a_mistake_in_the_words_names_file_and_key(
    tmp_path: Path, change: tuple[str, str], fault: str
) -> None:
    english = (CONFIG / "languages" / "en.toml").read_text(encoding="utf-8")
    assert change[0] in english
    path = tmp_path / "xx.toml"
    path.write_text(english.replace(*change), encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        read_words(path)
    assert str(caught.value).startswith(f"{path}: {fault}")


def test_every_finding_and_outcome_has_its_words(library: Library) -> None:
    words = read_words(CONFIG / "languages" / "en.toml")
    assert set(words.happened) >= set(library.texts.findings)
    assert set(words.outcomes) == set(OUTCOMES)
    assert set(words.until) == set(UNTIL)
    assert set(words.prompts) <= set(library.texts.prompts)
