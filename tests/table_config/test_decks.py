"""Several decks at a table: their names, files and credentials, and every mistake in one line."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from controller.contract.cards import CARDS
from controller.files.toml_file import ConfigError
from controller.table.config import load_table_config

SMALL = """
[table]
id = "7"
rulebook = "uk-tda"
seats = 3
blinds = { small = 5, big = 10 }
[[port]]
device = "/dev/ttyACM0"
zones = ["seat/1", "seat/2", "seat/3", "board"]
"""
TWO = SMALL + '[decks.red]\nfile = "r.toml"\n[decks.blue]\nfile = "b.toml"\n'
Write = Callable[[str], Path]


def deck_lines(brand: str) -> list[str]:
    return [f'"04 {brand} {n:02X} 77" = "{card}"' for n, card in enumerate(CARDS)]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Return a function that writes a table.toml and gives its path."""

    def write(text: str) -> Path:
        path = tmp_path / "table.toml"
        path.write_text(text, encoding="utf-8")
        return path

    return write


def write_deck(path: Path, lines: list[str]) -> None:
    path.write_text("\n".join(lines))
    path.chmod(0o600)


def test_the_decks_have_names_and_the_first_comes_first(write: Write, tmp_path: Path) -> None:
    write_deck(tmp_path / "r.toml", deck_lines("AA"))
    write_deck(tmp_path / "b.toml", deck_lines("BB"))
    config = load_table_config(write(TWO))
    assert list(config.decks.items()) == [
        ("red", tmp_path / "r.toml"),
        ("blue", tmp_path / "b.toml"),
    ]
    decks = config.read_decks()
    assert list(decks) == ["red", "blue"]
    assert decks["blue"]["04BB0077"] == CARDS[0]
    assert sorted(decks["red"].values()) == sorted(CARDS)
    assert config.warnings() == []
    (tmp_path / "b.toml").chmod(0o644)
    assert config.warnings() == [
        f"{tmp_path / 'b.toml'}: others can read which tag is which card; "
        f"chmod 600 {tmp_path / 'b.toml'}"
    ]


def test_one_tag_is_in_one_deck(write: Write, tmp_path: Path) -> None:
    write_deck(tmp_path / "r.toml", deck_lines("AA"))
    mixed = ["", *deck_lines("BB")]
    mixed[4] = '"04-aa-07-77" = "5s"'
    write_deck(tmp_path / "b.toml", mixed)
    with pytest.raises(ConfigError) as caught:
        load_table_config(write(TWO)).read_decks()
    said = f"{tmp_path / 'b.toml'}: line 5: the same tag as in {tmp_path / 'r.toml'}: line 8"
    assert str(caught.value) == said


def test_an_object_is_no_card_of_any_deck(write: Write, tmp_path: Path) -> None:
    write_deck(tmp_path / "r.toml", deck_lines("AA"))
    write_deck(tmp_path / "b.toml", deck_lines("BB"))
    config = load_table_config(write(TWO + '[deck.objects]\n04BB0077 = "button"\n'))
    with pytest.raises(ConfigError, match="a tag is a card of the deck as well") as caught:
        config.read_decks()
    assert "04BB" not in str(caught.value)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ('[deck]\nfile = "x"\n', "[deck] file: there is also [decks]"),
        ('[decks.green]\nfle = "x"\n', "[decks] green no key 'fle' here; did you mean 'file'?"),
        ("[decks.green]\n", "[decks] green: no file, and no credential 'cutcard.deck-green'"),
        ('[decks."a b"]\nfile = "x"\n', "[decks]: 'a b' is not a name"),
        ("[decks.green]\nfile = 3\n", "[decks] file: expected str | null, got int"),
        ('[decks]\ngreen = "x"\n', "[decks]: expected object, got str"),
    ],
)
def test_a_mistake_is_one_line(write: Write, more: str, said: str) -> None:
    text = SMALL + more if more.startswith("[decks]") else TWO + more
    with pytest.raises(ConfigError) as caught:
        load_table_config(write(text))
    assert re.fullmatch(rf".*table\.toml: {re.escape(said)}.*", str(caught.value))


def test_systemds_credentials_are_decks(write: Write, tmp_path: Path) -> None:
    lent = tmp_path / "lent"
    lent.mkdir()
    environment = {"CREDENTIALS_DIRECTORY": str(lent)}
    for name in ("cutcard.deck-red", "cutcard.deck-blue", "cutcard.mqtt-password"):
        (lent / name).touch(0o600)
    config = load_table_config(write(SMALL), environment)
    assert list(config.decks) == ["blue", "red"]
    (lent / "cutcard.deck").touch(0o600)
    config = load_table_config(write(SMALL), environment)
    assert list(config.decks.items()) == [
        ("deck", lent / "cutcard.deck"),
        ("blue", lent / "cutcard.deck-blue"),
        ("red", lent / "cutcard.deck-red"),
    ]
    config = load_table_config(write(SMALL + "[decks.red]\n"), environment)
    assert config.decks == {"red": lent / "cutcard.deck-red"}
    assert config.warnings() == []


def test_the_example_shows_several_decks(write: Write, tmp_path: Path) -> None:
    example = (Path(__file__).parents[2] / "config" / "table.toml").read_text(encoding="utf-8")
    found = re.search(r"(?ms)^# \[decks\.red\].*?\n\n", example)
    assert found is not None
    config = load_table_config(write(SMALL + re.sub(r"(?m)^# ", "", found[0])))
    assert config.decks == {"red": tmp_path / "red.toml", "blue": tmp_path / "blue.toml"}
