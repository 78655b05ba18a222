"""All rules, found as the dealer types: from behind *Why?* or the menu, and the way back."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from controller.files.settings import config_dir
from controller.library.books import Library
from controller.library.catalogue import read_catalogue
from display.dealer.connection import Connection
from display.dealer.looking import Place
from display.dealer.rule_dialog import AS_TYPED, ON_A_PAGE
from display.dealer.rule_taps import LONGEST_WORDS
from display.dealer.texts import load
from tests.display_dealer.paper import Paper
from tests.display_dealer.spoken import spoken
from tests.display_dealer.states import FLOP, FOUR, typed
from tests.display_dealer.tapped_table import Table
from tests.display_dealer.test_dealer_floor import enabled

SIZES = [(1280, 800), (800, 480)]
LONGEST = sorted(
    read_catalogue(config_dir()).values(),
    key=lambda rule: len(rule.summary) + len(rule.differs_from),
)[-40:]


def a_table(library: Library, *taps: str, log: str = FOUR, book: str = "roberts") -> Table:
    """The table, of which every tap was on a button that was there."""
    return tap(Table(library, book, log), *taps)


def tap(table: Table, *buttons: str) -> Table:
    for one in buttons:
        assert one in enabled(table.screen(spoken("en"))), one
        table.tap(one)
    return table


def label(table: Table, region: str, language: str = "en") -> str:
    labels = table.screen(spoken(language)).labels
    return next((one.text for one in labels if one.region == region), "")


def rules(table: Table) -> list[str]:
    """The ids of the rules that can be tapped."""
    ids = (one.partition(":") for one in enabled(table.screen(spoken("en"))))
    return [rule for name, _, rule in ids if name == "rule"]


def test_behind_why_are_first_the_rules_that_decide_it(library: Library) -> None:
    table = a_table(library, "why", "all-rules")
    assert label(table, "dialog-title") == "Four-card flop · rules: 14"
    assert rules(table) == ["RRP-HE-3", "RRP-HE-7"], "those of its ruling"
    tap(table, "all-found")
    assert len(rules(table)) == ON_A_PAGE
    tap(table, "page:1")
    assert {"page:0", "page:2"} <= set(enabled(table.screen(spoken("en"))))


def test_from_the_menu_are_first_the_rules_of_what_the_dealer_is_told(library: Library) -> None:
    table = a_table(
        library, "more", "all-rules", log="deal 4; 3 call; 4 call; 1 call; 2 call; wait 2"
    )
    prompt = table.view.prompt_id
    cited = spoken("en").desk().find([prompt])
    assert len(rules(table)) == min(AS_TYPED, len(cited))
    assert set(rules(table)) <= {one.rule.id for one in cited}


def test_before_a_hand_nothing_is_found_until_words_are_typed(library: Library) -> None:
    table = a_table(library, "more", "all-rules", log="deal 4; misdeal")
    table.looking = type(table.looking)(asking="rules")
    assert (label(table, "dialog-title"), rules(table)) == ("Which rule?", [])
    table.tap(*typed("XYLOPHONE"))
    hint = next(one for one in table.screen(spoken("en")).buttons if one.id == "rule:")
    assert (hint.label, hint.enabled) == ("No rule has these words.", False)
    assert "all-found" not in enabled(table.screen(spoken("en")))


def test_rules_are_found_as_one_types(library: Library) -> None:
    table, counts = a_table(library, "why", "all-rules"), []
    for key in typed("STRING"):
        tap(table, key)
        counts.append(int(label(table, "dialog-title").rpartition(" ")[2]))
    assert counts == sorted(counts, reverse=True)
    assert counts[0] > counts[-1] > AS_TYPED
    first, *_ = rules(table)
    words = enabled(table.screen(spoken("en")))[f"rule:{first}"].splitlines()
    assert words[0] == "UK-50 · UK TDA"
    assert words[1] == spoken("en").rules["UK-50"]
    assert words[2].startswith("≠ RR7-BET-14: ")
    table.tap("erase")
    assert label(table, "dialog-title").startswith("“STRIN”")


def test_a_book_with_a_mistake_stops_no_search(library: Library, tmp_path: Path) -> None:
    root = Path(shutil.copytree(config_dir(), tmp_path / "config"))
    (root / "rulebooks" / "our-house.toml").write_text("ruling = 3")
    table = a_table(library, "why", "all-rules", *typed("STRING"))
    buttons = table.screen(load("en", root)).buttons
    assert [one.id for one in buttons if one.id.startswith("rule:")] == [
        "rule:UK-50",
        "rule:TDA09-36",
    ]


def test_a_number_is_typed_with_its_book(library: Library) -> None:
    table = a_table(library, "more", "all-rules", "other-keys", log=f"{FLOP}; wait 3")
    tap(table, "key:UK-", "key:5", "key:0")
    assert rules(table) == ["UK-50"]
    table.tap("other-keys")
    assert "key:Q" in enabled(table.screen(spoken("en")))
    assert label(table, "dialog-title").startswith("“UK-50”"), "what was typed stays"


def test_no_more_is_typed_than_there_is_room_for(library: Library) -> None:
    table = a_table(library, "why", "all-rules", *["key:W"] * 50)
    assert len(table.looking.typed) == LONGEST_WORDS


def test_a_tap_shows_one_whole_with_what_others_say_and_what_rests_on_it(library: Library) -> None:
    table = a_table(library, "why", "all-rules", "rule:RRP-HE-3")
    assert label(table, "dialog-title").startswith("RRP-HE-3 · Robert's Rules · ")
    text = label(table, "dialog-text").splitlines()
    assert text[0] == spoken("en").rules["RRP-HE-3"]
    assert [one.partition(":")[0] for one in text[1:]] == ["≠ UK-35", "≠ TDA09-28", "≠ NL10-MIS-06",
        "Decides"]  # fmt: skip
    assert "Four-card flop" in text[-1]
    tap(table, "rule:UK-35")
    assert label(table, "dialog-title").startswith("UK-35 · UK TDA")
    tap(table, "behind:four-card-flop")
    assert label(table, "dialog-title").startswith("Four-card flop · rules: 14")


def test_back_leads_all_the_way_back(library: Library) -> None:
    taps = ("why", "all-rules", *typed("STRING"), "all-found", "page:1", "rule:RR7-BET-14")
    table = a_table(library, *taps)
    seen = []
    while table.looking.asking:
        seen.append((table.looking.asking, table.looking.typed, table.looking.page))
        table.tap("cancel")
    assert seen == [
        ("rule", "", 0), ("rules-found", "STRING", 1), ("rules", "STRING", 0), ("why", "", 0),
    ]  # fmt: skip
    assert table.looking.opened is not None, "the card of the finding"
    table = a_table(library, "more", "all-rules", log=f"{FLOP}; wait 3")
    table.tap("cancel")
    assert table.looking.asking == "more"


def test_behind_what_an_action_amounts_to_are_first_its_own_rules(library: Library) -> None:
    asked = ("pick-seat:4", "what-is-it", "key:chip:1000", "ask", "wager-why", "all-rules")
    table = a_table(library, *asked, log="deal 4; 3 raise 40; wait 2", book="uk-tda")
    assert label(table, "dialog-title") == "UK-44 · rules: 1"
    assert rules(table) == ["UK-44"]
    table.tap("rule:UK-44", "cancel", "cancel")
    assert label(table, "dialog-title") == "UK TDA", "its own"
    table.tap("all-rules")
    table.tell("4 call")
    assert rules(table) == ["UK-44"], "the rules are read on"
    table.tap("cancel")
    assert table.looking.asking == "", "but its answer is past"


def test_a_finding_that_is_gone_is_not_gone_back_to(library: Library) -> None:
    table = a_table(library, "why", "all-rules")
    table.tell("lift x2 x3 x4 x5; misdeal")
    table.looking = type(table.looking)(asking="rules", trail=(Place("why"),))
    table.tap("cancel")
    assert table.looking.asking == ""


def test_a_rule_that_does_not_fit_has_pages(library: Library) -> None:
    table = a_table(library, "why", "all-rules")
    table.tap("rule:NL10-SEAT-04")
    first = label(table, "dialog-text")
    tap(table, "page:1")
    second = label(table, "dialog-text")
    assert len(set(first.splitlines()) & set(second.splitlines())) == 0
    tap(table, "page:0")
    assert label(table, "dialog-text") == first


def test_nothing_is_told_to_the_table_and_none_is_needed(library: Library) -> None:
    table = a_table(library, "why", "all-rules", *typed("STRING"))
    before = table.view
    table.tap("all-found", "rule:UK-50", "cancel", "cancel", "erase")
    assert table.view == before
    lost = table.screen(spoken("en"), Connection("closed", 12.0, 0))
    assert {"key:S", "erase", "other-keys", "all-found", "cancel", "rule:UK-50"} <= set(
        enabled(lost)
    )


def test_a_finding_takes_their_place(library: Library) -> None:
    table = a_table(library, "more", "all-rules", log="deal 4; 3 raise 40; wait 2")
    table.tell("exposed 4 1; wait 2")
    assert table.view.findings
    assert table.looking.asking == ""


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("rule", [rule.id for rule in LONGEST])
def test_the_longest_rules_can_be_read(
    library: Library, rule: str, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    table = a_table(library, "why", "all-rules")
    table.tap(f"rule:{rule}")
    paper = Paper(spoken("de"), size)
    paper.under(monkeypatch)
    for page in range(3):
        paper.show(table.screen(spoken("de")))
        if f"page:{page + 1}" not in enabled(table.screen(spoken("de"))):
            break
        table.tap(f"page:{page + 1}")
    assert paper.faults == []
