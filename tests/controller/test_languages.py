"""The language files say the same things, each in its own words."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.contract.texts import blanks
from controller.files.settings import config_dir
from controller.files.toml_file import ConfigError
from controller.library.books import open_library
from controller.library.languages import languages, path_of, read, read_texts
from controller.table.config import load_table_config

CONFIG = config_dir()
OTHERS = [name for name in languages(CONFIG) if name != "en"]
PARTS = (
    "screen",
    "lessons",
    "findings",
    "steps",
    "prompts",
    "streets",
    "entries",
    "zones",
    "account",
    "wall",
    "pocket",
    "pages",
    "players",
    "race",
    "money",
    "index",
    "events",
    "desk",
    "login",
    "people",
    "tables",
    "did",
    "tried",
    "trust",
    "floor",
    "rules",
    "history",
    "statistics",
    "verbs",
    "answers",
    "wager",
    "hands",
)
# What may be the same in another language, word by word or as the whole line: poker's own words.
ALIKE = {
    "es": """
        {seat}: {action}
        Ante
        Flop Turn River Showdown Preflop flop turn river showdown SHOWDOWN muck board No D all-in
        All-in All-in AI hijack cutoff
        stack {stack}
        director No
        Re-entries re-entry rebuy add-on
    """,
    "fr": """
        Tables
        Table {table}
        tables {tables}
        Ante
        Pot {amount}
        Questions
        Pot {chips}: between {seats}.
        Flop Turn River D S Joker STOP NOTE QUESTION muck board hijack cutoff Table
        structure question Minutes pause Place Note
        Place {place}
        table {table}
        place {place}
        Section Question Absent absent minutes Disqualification
        Re-entries re-entry rebuy add-on
    """,
    "de": """
        Chips Stack Event Events
        Hand {hand}
        Hand (PHH)
        Floorperson
        Pot {amount}
        Dealer: {name}
        Dealer: {name}.
        Blinds {small}/{big}.
        Button: {seat}.
        {seat}: {action}
        Misdeals: {count}.
        under the gun
        under the gun + {n}
        Level {level}
        Ante
        Preflop Flop Turn River Showdown Misdeal Muck Board Stub D H All-in Check Call Bet Raise
        Fold Joker Clock Undo SB BB AI
        Name Misdeal… Vibration Deal…
        Level {level}
        Dealer {dealer}
        Call {amount}
    """,
}
# Names, and lines without a word.
SAME_IN_ALL = {
    "{small}/{big}",
    "{player}: {what}",
    "{player} ({chips})",
    "{what} ×{count}",
    "{count} × {into}",
    "As Td",
    "Re-entry",
    "Rebuy",
    "Rebuys…",
    "Add-on",
    "{amount}\u00a0{currency}",
    "Rebuys",
    "Add-ons",
    "buy-in {amount}",
    "re-entry {amount}",
    "rebuy {amount}",
    "add-on {amount}",
    "{out} {in} {button}",
    "{small}/{big} ante {ante}",
    "{name} {since}",
    "✓ {port}",
    "Robert's Rules",
    "NL 2010",
    "TDA 2009",
    "…",
    "{street}   {board}   (pot {pot})",
    "{street}   (pot {pot})",
    "{book}: {outcome}.",
    "{who}: {outcome}",
    "{id}: {summary}",
    "{chips}  ({change})",
    "{count} {how}",
    "{count} BB",
    "floor",
    "{count} h",
    "{count} %",
    "Board",
    "Floor",
    "PIN",
    "iPhone, iPad",
    "Android",
    "Windows",
    "Mac",
    "Firefox, Linux",
    "Floor: {name}",
    "Ante {ante}",
    "{count} min",
    "{hours} h {minutes} min",
    "min…",
    "{player}: {from} → {to}",
    "{label}: {text}",
    "{count} s",
    "UK TDA",
    "{name}, PIN: {dots}",
    "{what} ({more})",
    "{what}: {words}",
    "{count} x {title} ({code}) {where}: {endings}.",
}


WORDS = (
    ("street", "flop"),
    ("next", "turn"),
    ("seats", "4"),
    ("due", "5"),
    ("early", "6"),
    ("owner", "7"),
    ("uncalled", "90"),
)


def texts_of(language: str) -> Iterator[tuple[str, str]]:
    sections = read(path_of(CONFIG, language), PARTS)
    return (
        (f"{name}.{key}", text) for name, texts in sections.items() for key, text in texts.items()
    )


def test_there_are_four() -> None:
    assert languages(CONFIG) == ["de", "en", "es", "fr"]


@pytest.mark.parametrize("language", OTHERS)
def test_sections_keys_and_braces_are_those_of_the_english_file(language: str) -> None:
    english, other = dict(texts_of("en")), dict(texts_of(language))
    assert set(other) == set(english)
    for key, text in english.items():
        assert blanks(other[key]) == blanks(text), key
    file = tomllib.loads(path_of(CONFIG, language).read_text(encoding="utf-8"))
    assert set(file) == set(PARTS)


@pytest.mark.parametrize("language", OTHERS)
def test_nothing_was_left_in_english(language: str) -> None:
    english = dict(texts_of("en"))
    alike = SAME_IN_ALL | {line.strip() for line in ALIKE[language].splitlines()}
    alike |= {word for line in ALIKE[language].splitlines() for word in line.split()}
    left = {key: text for key, text in texts_of(language) if text == english[key]}
    assert {key: text for key, text in left.items() if text not in alike} == {}


@pytest.mark.parametrize("language", languages(CONFIG))
def test_texts_are_tidy(language: str) -> None:
    for key, text in texts_of(language):
        assert text, key
        assert "  " not in text or "account" in key, key
        assert text == text.strip() or key.split(".")[-1] in (
            "after-action",
            "after-floor",
            "thousands",
        ), key
        if key.startswith("steps."):
            assert text.endswith((".", "?")), key
            assert text.endswith("?") == (key.startswith("steps.ask-")), key
        elif key.startswith(("prompts.", "findings.")):
            assert not text.endswith("."), key


@pytest.mark.parametrize("language", languages(CONFIG))
def test_every_rule_book_speaks_it(language: str) -> None:
    library = open_library(CONFIG, language)
    for name in library.ids:
        entry = library.book(name).entries[0]
        ruling = library.book(name).ruling_with(entry.finding.split("|")[0], entry.outcome, WORDS)
        assert ruling is not None
        for step in ruling.steps:
            assert step.text == library.texts.step(step.id, step.words)
            assert blanks(library.texts.steps[step.id]) == set(step.words)


@pytest.mark.parametrize("language", languages(CONFIG))
def test_a_table_may_speak_it(tmp_path: Path, language: str) -> None:
    shipped = (CONFIG / "table.toml").read_text(encoding="utf-8")
    assert '# language = "en"' in shipped
    path = tmp_path / "table.toml"
    path.write_text(shipped.replace('# language = "en"', f'language = "{language}"'))
    assert load_table_config(path, {}).table.language == language


def copy(folder: Path, old: str = "", new: str = "") -> Path:
    text = path_of(CONFIG, "de").read_text(encoding="utf-8")
    assert old in text
    path = folder / "languages" / "xx.toml"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("burn-holds =", "burn-hold =", "unknown key steps.burn-hold; did you mean 'burn-holds'?"),
        ("\nburn-holds =", "\n#", "key steps.burn-holds is missing"),
        (
            "\nburn-more =",
            "\nburn-most =",
            "unknown key prompts.burn-most; did you mean 'burn-more'?",
        ),
        ("\nburn-more =", "\n#", "key prompts.burn-more is missing"),
        (
            "short-flop =",
            "short-flob =",
            "unknown key findings.short-flob; did you mean 'short-flop'?",
        ),
        ("[zones]", "[zone]", "unknown section [zone]; did you mean 'zones'?"),
        ("am Zug: kein Bet", "{seats}: kein Bet", "prompts.act-limited needs {seat}"),
        (
            "Vor dem {next}",
            "Vor dem {nxt}",
            "steps.two-burns-next needs {next} ('{nxt}'; did you mean 'next'?)",
        ),
        (
            "Vor dem {next}",
            "Vor dem {next",
            "steps.two-burns-next: expected '}' before end of string",
        ),
        ('stub = "Stub"', "stub = 7", "zones.stub is not text"),
        ("[screen]", 'a = "b"\n[screen]', "key a is in no section"),
    ],
)
def test_a_mistake_names_file_key_and_the_nearest(
    tmp_path: Path, old: str, new: str, fault: str
) -> None:
    path = copy(tmp_path, old, new)
    with pytest.raises(ConfigError) as error:
        read_texts(path)
    assert str(error.value).startswith(f"{path}: {fault}")


def test_a_house_may_have_steps_of_its_own(tmp_path: Path) -> None:
    path = copy(tmp_path, "[steps]\n", '[steps]\nring-the-bell = "Bei Platz {seats} läuten."\n')
    assert read_texts(path).step("ring-the-bell", {"seats": "4"}) == "Bei Platz 4 läuten."
    path = copy(tmp_path, "[steps]\n", '[steps]\nring-the-bell = "Bei {seat} läuten."\n')
    with pytest.raises(ConfigError, match=r"steps\.ring-the-bell needs"):
        read_texts(path)


def test_an_unknown_language_names_the_nearest() -> None:
    with pytest.raises(ConfigError, match=r"^unknown language 'deu'; did you mean 'de'\?$"):
        path_of(CONFIG, "deu")
    with pytest.raises(ConfigError, match=r"^unknown language '\.\./en'"):
        path_of(CONFIG, "../en")


@pytest.mark.parametrize(
    ("language", "said"),
    [
        (
            "en",
            ["Deal the turn", "Undone: bet", "Unreliable: seat 3."],
        ),
        ("es", ["Dar el turn", "Deshecho: una apuesta", "Falla mucho: asiento 3."]),
        ("fr", ["Donner le turn", "Défait\u00a0: une mise", "Souvent en défaut\u00a0: siège 3."]),
        ("de", ["Turn geben", "Zurückgenommen: Bet", "Oft falsch: Platz 3."]),
    ],
)
def test_a_prompt_is_filled_in_with_words(language: str, said: list[str]) -> None:
    texts = read_texts(path_of(CONFIG, language))
    assert texts.prompt("deal-street", {"street": "turn"}) == said[0]
    assert texts.prompt("undone", {"entry": "bet"}) == said[1]
    assert texts.prompt("zone-suspect", {"zone": "seat/3"}).startswith(said[2])
    assert texts.findings["clock-expired"] in texts.prompt(
        "hand-dead", {"seat": 4, "why": "clock-expired"}
    )
    with pytest.raises(KeyError):
        texts.prompt("deal-street", {})


def test_what_a_deal_has_shown_is_a_sentence_for_each_seat() -> None:
    texts = open_library(CONFIG, "en").texts
    shown = {"out": [4, 9], "in": [], "button": 7}
    said = "Seat 4 is out. Seat 9 is out. Button at seat 7"
    assert texts.prompt("taken-over", shown) == said
    assert texts.prompt("taken-over", {"out": [], "in": [6], "button": None}) == "Seat 6 plays"
