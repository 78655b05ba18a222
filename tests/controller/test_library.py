"""Rule books are data in layers, and a mistake in one names file, key and the nearest name."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from controller.files.toml_file import ConfigError
from controller.library.books import Library, open_library
from controller.library.catalogue import read_summaries
from controller.rules import IRREGULARITIES
from controller.rules.rulebook import RuleBook

CONFIG = Path(__file__).resolve().parents[2] / "config"
BOOKS = ["homepokertourney", "nl-2010", "roberts", "tda-2009", "tda-2024", "uk-tda"]
HOUSE = """
id = "riverside"
title = "Riverside Card Room"
over = "uk-tda"
fills = ["UK-01"]

[[ruling]]
finding = "four-card-flop"
outcome = "redeal-flop"
cites = ["RIVERSIDE-7"]
steps = ["flop-back", "shuffle", "new-flop-no-burn"]
"""


def rule_ids() -> set[str]:
    return set(read_summaries(CONFIG))


def moments() -> list[tuple[str, frozenset[str]]]:
    streets = ["before-action", "after-action", "all-in", "all-in-later"]
    flops = [
        ("four-card-flop", frozenset({m, n})) for m in streets for n in ("four", "five-or-more")
    ]
    burns = [
        ("burn-missing", frozenset({m, s})) for m in streets for s in ("flop", "turn", "river")
    ]
    return flops + burns


def test_the_books_are_there(library: Library) -> None:
    assert library.ids == BOOKS


@pytest.mark.parametrize("book_id", BOOKS)
@pytest.mark.parametrize(("code", "facts"), moments())
def test_every_moment_has_one_books_ruling_cited(
    library: Library, book_id: str, code: str, facts: frozenset[str]
) -> None:
    book = library.book(book_id)
    assert code in {rule.code for rule in IRREGULARITIES}
    ruling = book.ruling(code, facts, None, (("street", "flop"), ("next", "turn")))
    assert ruling.rulebook == book_id
    assert ruling.steps
    assert set(ruling.cites) <= rule_ids()
    assert all("{" not in step.text for step in ruling.steps)


def ruling_of(book: RuleBook, code: str, *facts: str) -> tuple[str, tuple[str, ...]]:
    words = (("street", "flop"), ("next", "turn"))
    ruling = book.ruling(code, frozenset(facts), None, words)
    return ruling.outcome, ruling.cites


def test_a_house_book_lies_over_roberts_and_cites_its_edition(library: Library) -> None:
    book = library.book("homepokertourney")
    outcome, cites = ruling_of(book, "four-card-flop", "four", "burned", "before-action")
    assert outcome == "redeal-flop"
    assert cites == ("RR7-HE-3", "RR7-HE-7", "HPT-PREC-01")


def test_nl_2010_wins_over_roberts_where_it_speaks(library: Library) -> None:
    book = library.book("nl-2010")
    assert ruling_of(book, "burn-missing", "turn", "before-action") == (
        "reshuffle-street",
        ("NL10-MIS-07",),
    )
    assert ruling_of(book, "burn-missing", "turn", "after-action") == (
        "stands",
        ("RRP-HE-5", "RRP-IRR-15", "NL10-PREC-01"),
    )


@pytest.mark.parametrize(("book_id", "cite"), [("uk-tda", "UK-01"), ("tda-2009", "TDA09-01")])
def test_a_silent_book_leaves_it_to_the_floor_with_roberts_as_advice(
    library: Library, book_id: str, cite: str
) -> None:
    book = library.book(book_id)
    words = (("street", "flop"), ("next", "turn"))
    ruling = book.ruling("burn-missing", frozenset({"flop", "before-action"}), None, words)
    assert (ruling.outcome, ruling.cites) == ("floor", (cite,))
    assert ruling.advisory is not None
    assert ruling.advisory.rulebook == "roberts"
    assert ruling.advisory.outcome == "redeal-flop"
    assert ruling.advisory.cites == ("RRP-HE-4", "RRP-HE-7")


@pytest.fixture
def config(tmp_path: Path) -> Path:
    for name in ("rulebooks", "languages"):
        shutil.copytree(CONFIG / name, tmp_path / name)
    for path in CONFIG.glob("catalogue*.csv"):
        shutil.copy(path, tmp_path)
    return tmp_path


def test_a_card_rooms_own_rules_are_one_more_layer(config: Path) -> None:
    path = config / "riverside.toml"
    path.write_text(HOUSE)
    book = open_library(config).book(str(path))
    assert ruling_of(book, "four-card-flop", "four", "before-action") == (
        "redeal-flop",
        ("RIVERSIDE-7",),
    )
    assert ruling_of(book, "burn-missing", "flop", "before-action")[0] == "floor"
    # The layer below keeps speaking where the house is silent.
    path.write_text(HOUSE.split("[[ruling]]", maxsplit=1)[0])
    book = open_library(config).book(str(path))
    assert ruling_of(book, "four-card-flop", "four", "before-action") == (
        "floor-pick",
        ("UK-35", "UK-01"),
    )


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("outcome =", "outcom =", "unknown key 'outcom' in ruling 1; did you mean 'outcome'?"),
        (
            "over =",
            'button = "move"\nover =',
            "button: unknown value 'move'; did you mean 'moving'",
        ),
        ("over =", 'cut_off = "two"\nover =', "cut_off: unknown value 'two'"),
        ("over =", "ovr =", "unknown key 'ovr'; did you mean 'over'?"),
        ('"uk-tda"', '"uk-tdaa"', "over: unknown rule book 'uk-tdaa'; did you mean 'uk-tda'?"),
        ('"uk-tda"', '"{path}"', "is laid over itself"),
        ("four-card-flop", "for-card-flop", "unknown finding 'for-card-flop'; did you mean"),
        ('"redeal-flop"', '"redeal"', "ruling 1 (four-card-flop): unknown outcome 'redeal'; did"),
        ('"shuffle"', '"shufle"', "unknown step 'shufle'; did you mean 'shuffle'?"),
        ("RIVERSIDE-7", "NL10-MIS-6", "unknown cites 'NL10-MIS-6'; did you mean 'NL10-MIS-06'?"),
        ('fills = ["UK-01"]', 'fills = ["UK-001"]', "unknown cites 'UK-001'"),
        ('cites = ["RIVERSIDE-7"]', 'cites = ["X-1"]\nwhen = ["befor-action"]', "unknown when"),
        ('"new-flop-no-burn"]', '"new-flop-no-burn"', "riverside.toml: "),
        ('steps = ["flop-back", "shuffle", "new-flop-no-burn"]', "steps = []", "at least one"),
        ('over = "uk-tda"', "", "'silent' is missing"),
    ],
)
def test_a_mistake_in_a_book_names_file_key_and_nearest_name(
    config: Path, old: str, new: str, fault: str
) -> None:
    path = config / "riverside.toml"
    assert old in HOUSE
    path.write_text(HOUSE.replace(old, new.replace("{path}", str(path))))
    with pytest.raises(ConfigError) as refused:
        open_library(config).book(str(path))
    assert fault in str(refused.value)
    assert str(path) in str(refused.value)
    assert "\n" not in str(refused.value)


def test_an_unknown_book_is_answered_with_the_nearest(library: Library) -> None:
    with pytest.raises(ConfigError, match="unknown rule book 'robert'; did you mean 'roberts'"):
        library.book("robert")
    with pytest.raises(ConfigError, match="No such file"):
        library.book("nowhere.toml")


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        (b'title = "\xff"', "this is not UTF-8 text"),
        (b"title =", "Invalid value (at end of document)"),
        (b"#" * (1 << 20) + b"\n", "longer than a megabyte, this is not a settings file"),
    ],
)
def test_a_book_that_is_none_is_one_line_too(config: Path, data: bytes, fault: str) -> None:
    path = config / "riverside.toml"
    path.write_bytes(data)
    with pytest.raises(ConfigError) as refused:
        open_library(config).book(str(path))
    assert str(refused.value) == f"{path}: {fault}"
