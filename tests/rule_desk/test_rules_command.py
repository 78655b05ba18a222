"""`cutcard rules`: rules by words, ids and codes; a house's book checked; what an action is."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from controller.__main__ import main

Capture = pytest.CaptureFixture[str]


def rules(capsys: Capture, *argv: str) -> tuple[int, str, str]:
    status = main(["rules", *argv])
    return status, *capsys.readouterr()


def found(capsys: Capture, *argv: str) -> list[dict[str, Any]]:
    _, out, _ = rules(capsys, *argv, "--json")
    told: list[dict[str, Any]] = json.loads(out)
    return told


def ids(told: Sequence[dict[str, Any]]) -> list[str]:
    return [one["rule"]["id"] for one in told]


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        (["string", "bet"], "UK-50"),
        (["four", "card", "flop"], "UK-35"),
        (["oversized", "chip"], "TDA09-32"),
        (["raises"], "UK-42A"),
        (["overs"], "TDA09-32"),
        (["rabbit"], "TDA09-21"),
    ],
    ids=" ".join,
)
def test_rules_are_found_by_their_words_and_beginnings(
    capsys: Capture, words: list[str], wanted: str
) -> None:
    told = found(capsys, *words)
    assert wanted in ids(told)
    assert len(told) < 300


def test_words_of_which_no_rule_has_all_find_those_that_have_any(capsys: Capture) -> None:
    assert "TDA09-21" in ids(found(capsys, "rabbit", "xylophone"))


def test_an_id_is_found_by_its_beginning(capsys: Capture) -> None:
    begun = ids(found(capsys, "uk-50"))
    assert begun == ["UK-50"], "a whole one is no beginning"
    begun = ids(found(capsys, "rr7-nl-1"))
    assert {"RR7-NL-1"} == set(begun)
    begun = ids(found(capsys, "uk-4"))
    assert "UK-42A" in begun
    assert all(name.startswith("UK-4") for name in begun)


def test_one_book_and_all_of_it(capsys: Capture) -> None:
    assert {one["rule"]["id"].split("-")[0] for one in found(capsys, "--book", "roberts")} == {
        "RR7",
        "RRP",
    }
    assert len(found(capsys)) == 847 + 303
    assert all(name.startswith("UK-") for name in ids(found(capsys, "flop", "--book", "uk-tda")))


def test_a_rule_leads_to_its_findings_and_a_finding_to_its_rules(capsys: Capture) -> None:
    [rule] = found(capsys, "uk-35")
    assert "four-card-flop" in rule["findings"]
    assert {"rules": "RR7-HE-3/RRP-HE-3/HPT-REF-HE-3/RR7-HE-7/RRP-HE-7/HPT-REF-HE-7"}.items() <= (
        rule["differs"][0].items()
    )
    assert {"UK-35", "TDA09-28", "RRP-HE-3", "NL10-MIS-06"} <= set(
        ids(found(capsys, "four-card-flop"))
    )


def test_in_words_it_says_where_others_differ_and_how_many_more_there_are(capsys: Capture) -> None:
    status, out, _ = rules(capsys, "UK-42A")
    assert status == 0
    assert out.startswith("UK-42A  UK casino rules (TDA-based), Play: Bets and Raises, 42-A\n")
    assert "  but RR7-NL-13/NL10-BET-08: " in out
    _, out, _ = rules(capsys, "button")
    assert out.count("\nand ") == 1
    assert out.rstrip().endswith("more: --all prints them")
    assert all(len(line) <= 100 for line in out.splitlines())


def test_nothing_found_is_said_and_an_unknown_book_is_a_mistake(capsys: Capture) -> None:
    assert rules(capsys, "xylophone") == (1, "", "cutcard rules: no rule has these words\n")
    status, out, err = rules(capsys, "flop", "--book", "uk-tdaa")
    assert (status, out) == (2, "")
    assert err == "cutcard rules: unknown rule book 'uk-tdaa'; did you mean 'uk-tda'?\n"


def test_a_houses_book_is_checked(capsys: Capture, tmp_path: Path) -> None:
    path = tmp_path / "house.toml"
    path.write_text(
        'id = "house"\ntitle = "Our house"\nover = "uk-tda"\n'
        "[betting]\n"
        'short_bet = { cites = ["HOUSE-1"] }\n'
        "[[ruling]]\n"
        'finding = "four-card-flop"\noutcome = "redeal-flop"\n'
        'cites = ["HOUSE-2"]\nsteps = ["stop", "call-floor"]\n',
        encoding="utf-8",
    )
    status, out, _ = rules(capsys, "check", str(path))
    assert status == 0
    assert out.startswith(f"{path}: Our house (house), ")
    path.write_text(path.read_text("utf-8").replace("four-card-flop", "four-card-flopp"), "utf-8")
    status, out, err = rules(capsys, "check", str(path))
    assert (status, out) == (2, "")
    assert str(path) in err
    assert "ruling 1 (four-card-flopp): unknown finding 'four-card-flopp'; did you mean" in err


def test_what_a_house_says_of_amounts_lies_over_the_book_below(
    capsys: Capture, tmp_path: Path
) -> None:
    path = tmp_path / "house.toml"
    path.write_text(
        'id = "house"\ntitle = "Our house"\nover = "uk-tda"\nfills = ["HOUSE-0"]\n'
        '[betting]\nchips = { way = "same", cites = ["HOUSE-1"] }\n',
        encoding="utf-8",
    )
    asked = ("bet", "--big", "500", "--facing", "1100", "--raised-by", "600", "--json")
    for chips, kind, cites in (
        ("500,1000", "raise", ["UK-42A", "HOUSE-0"]),
        ("5x400", "raise", ["UK-37A", "UK-38A", "HOUSE-0"]),
        ("600,600", "call", ["HOUSE-1"]),
    ):
        _, out, _ = rules(capsys, *asked, "--book", str(path), "--chips", chips)
        judged = json.loads(out)["judged"]
        assert (judged["kind"], judged["cites"]) == (kind, cites), chips


def test_an_unknown_way_is_named(capsys: Capture, tmp_path: Path) -> None:
    path = tmp_path / "house.toml"
    path.write_text(
        'id = "house"\ntitle = "Our house"\nover = "uk-tda"\n'
        '[betting]\nchips = { way = "sane", cites = [] }\n',
        encoding="utf-8",
    )
    status, _, err = rules(capsys, "check", str(path))
    assert status == 2
    assert "betting.chips.way" in err


@pytest.mark.parametrize(
    ("argv", "says"),
    [
        (["--facing", "1100", "--raised-by", "600", "--chips", "1000,5x100"], "Raise to 1,700."),
        (["--facing", "1100", "--raised-by", "600", "--chips", "1000,3x100"], "Call 1,100."),
        (["--say", "bet 5", "--unclear"], "Ask the player: bet 500 or bet 5,000?"),
        (["--facing", "8000", "--chips", "2000"], "The floor decides: call 8,000 or fold and"),
        (["--say", "all-in", "--stack", "5200"], "All-in, 5,200 in all."),
    ],
    ids=["UK-EX45-2", "UK-EX45-3", "UK-51", "UK-38B", "all-in"],
)
def test_what_an_action_is_in_words(capsys: Capture, argv: list[str], says: str) -> None:
    status, out, _ = rules(capsys, "bet", "--big", "500", *argv)
    assert status == 0
    assert out.startswith(says)


def test_where_the_book_is_silent_that_and_who_decides_is_said(capsys: Capture) -> None:
    asked = ("bet", "--book", "tda-2009", "--big", "100", "--facing", "1000", "--chips", "500")
    _, out, _ = rules(capsys, *asked)
    lines = out.splitlines()
    assert "The book is silent." in lines
    assert any(line.startswith("TDA09-01  ") for line in lines)
    assert "Robert's Rules of Poker would say: Call 1,000." in lines
    assert any(line.startswith("RR7-NL-10  ") for line in lines)


@pytest.mark.parametrize(
    ("argv", "fault"),
    [
        (["--chips", "10y"], "'10y' is no chip: write 1000, or 5x100 for five of them"),
        (["--say", "rise 500"], "'rise 500' is not one of fold, check, call, bet, raise, all-in"),
        (["--facing", "many"], "'many' is no number of chips"),
    ],
    ids=["chips", "say", "facing"],
)
def test_a_mistake_is_told_in_a_line(capsys: Capture, argv: list[str], fault: str) -> None:
    with pytest.raises(SystemExit) as ended:
        rules(capsys, "bet", "--big", "100", *argv)
    assert ended.value.code == 2
    err = capsys.readouterr().err
    assert fault in err
    assert err.count("\n") == 1
