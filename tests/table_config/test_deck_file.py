"""The deck's file: every mistake by its line, and never a tag in words."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.contract.cards import CARDS
from controller.files.toml_file import ConfigError
from controller.table.config import load_table_config
from controller.table.deck_file import canonical, exposure, read_deck_file

EXAMPLE = Path(__file__).parents[2] / "config" / "deck.example.toml"
LINES = [f'"04 AA {n:02X} 77" = "{card}"' for n, card in enumerate(CARDS)]


def write(folder: Path, lines: list[str]) -> Path:
    path = folder / "deck.toml"
    path.write_text("# a deck\n" + "\n".join(lines), encoding="utf-8")
    path.chmod(0o600)
    return path


def test_the_example_is_a_deck() -> None:
    deck = read_deck_file(EXAMPLE)
    assert sorted(deck.values()) == sorted((*CARDS, "X1", "X2"))
    assert deck["E004015000000001"] == "2s"


def test_tags_are_as_the_readers_give_them(tmp_path: Path) -> None:
    deck = read_deck_file(write(tmp_path, [*LINES[1:], '"04:aa-00 77" = "2s"']))
    assert deck["04AA0077"] == "2s"
    assert len(deck) == 52


@pytest.mark.parametrize(
    ("written", "tag"),
    [("04aabbcc", "04AABBCC"), ("04AABBC", None), ("04AABB", None), ("04AABBCG", None), ("", None)],
)
def test_canonical(written: str, tag: str | None) -> None:
    assert canonical(written) == tag
    assert canonical("AB" * 16) == "AB" * 16
    assert canonical("AB" * 17) is None


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({3: LINES[1].replace("AA 01", "aa-01")}, "line 5: the same tag as in line 3"),
        ({3: '"04AA0377" = "3s"'}, "line 5: the same card as in line 3"),
        ({3: '"04AA0377" = "1s"'}, "line 5: not a card code"),
        ({3: '"04AA0377" = 5'}, "line 5: is not of the form"),
        ({3: "04AA0377 = "}, "line 5: is not of the form"),
        ({3: "[04AA0377]"}, "line 5: is not of the form"),
        ({3: '04AA0377.x = "5s"'}, "line 5: is not of the form"),
        ({3: '"04AA037" = "5s"'}, "line 5: not a tag"),
        ({3: ""}, "here are 51 cards: 1 is missing"),
        ({3: "", 4: '"04AA0077AA" = "X1"'}, "here are 50 cards: 2 are missing"),
        (dict.fromkeys(range(52), ""), "here are no cards: 52 are missing"),
        (dict.fromkeys(range(51), ""), "here is 1 card: 51 are missing"),
    ],
)
def test_a_mistake_names_its_line_and_no_tag(
    tmp_path: Path, changes: dict[int, str], said: str
) -> None:
    path = write(tmp_path, [changes.get(n, line) for n, line in enumerate(LINES)])
    with pytest.raises(ConfigError) as caught:
        read_deck_file(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert said in str(caught.value)
    assert "04AA" not in str(caught.value).upper()
    assert "\n" not in str(caught.value)


def test_who_can_read_it(tmp_path: Path) -> None:
    path = write(tmp_path, LINES)
    assert exposure(path) is None
    for mode in (0o640, 0o604):
        path.chmod(mode)
        assert "chmod 600" in str(exposure(path))
    assert exposure(tmp_path / "none") is None


def test_a_tag_is_a_card_or_an_object(tmp_path: Path) -> None:
    write(tmp_path, LINES)
    path = tmp_path / "table.toml"
    path.write_text(
        '[table]\nid = "1"\nrulebook = "uk-tda"\nseats = 2\nblinds = { small = 1, big = 2 }\n'
        '[[port]]\ndevice = "/dev/x"\nzones = []\n'
        '[deck]\nfile = "deck.toml"\nobjects = { 04AA0077 = "button" }\n'
    )
    with pytest.raises(ConfigError, match="a tag is a card of the deck as well") as caught:
        load_table_config(path).read_decks()
    assert "04AA" not in str(caught.value)
    path.write_text(path.read_text().replace("04AA0077", "04AA0078"))
    assert load_table_config(path).read_decks() == {"deck": read_deck_file(tmp_path / "deck.toml")}
