"""A deck from a prepared list: `cutcard deck enroll --list`, without an antenna."""

from __future__ import annotations

import asyncio
import stat
from pathlib import Path

import pytest

from controller.contract.cards import CARDS
from controller.files.toml_file import ConfigError
from controller.install.prepared import read_prepared
from controller.table.deck_file import read_deck_file
from firmware_bridge.decks import Registry
from tests.install.terminal import piped
from tests.table.felt import write_table

TAGS = {card: f"E0040153{number:08X}" for number, card in enumerate(CARDS, 1)}
LINES = tuple(f"{tag},{card}" for card, tag in TAGS.items())
OF_ANOTHER = "this tag is a card of the deck"
OTHERS = Registry({"blue": {"E004015400000001": "As"}}, {"E004015400000002": "button"})


def written(folder: Path, lines: tuple[str, ...], name: str = "list.csv") -> Path:
    path = folder / name
    path.write_text("\n".join(lines) + "\n")
    return path


def test_a_list_becomes_the_decks_file(tmp_path: Path) -> None:
    asyncio.run(_becomes_a_deck(tmp_path))


async def _becomes_a_deck(folder: Path) -> None:
    write_table(folder, "roberts")
    file = folder / "deck.toml"
    file.unlink()
    argv = ("deck", "enroll", "--config", str(folder / "table.toml"), "--list")
    bad = written(folder, LINES[:50], "bad.csv")
    assert await piped(*argv, str(bad)) == (
        2,
        "",
        f"cutcard deck: {bad}: 2 of 52 cards are missing: ace of clubs, king of clubs\n",
    )
    assert not file.exists()
    good = written(folder, LINES)
    assert await piped(*argv, str(good)) == (
        0,
        f"The deck is enrolled: 52 cards, in {file}.\n",
        "",
    )
    assert read_deck_file(file) == {tag: card for card, tag in TAGS.items()}
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    status, _, complaint = await piped(*argv, str(good))
    assert (status, complaint.count("is already enrolled; to redo it")) == (2, 1)


def test_without_a_file_in_the_settings_it_is_the_services_credential(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asyncio.run(_credential(tmp_path, monkeypatch))


async def _credential(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_table(folder, "roberts")
    table = folder / "table.toml"
    table.write_text(table.read_text().replace('file = "deck.toml"', ""))
    prepared = written(folder, LINES)
    argv = ("deck", "enroll", "--config", str(table), "--list", str(prepared))
    monkeypatch.setenv("CREDENTIALS_DIRECTORY", str(folder / "credentials"))
    (folder / "credentials").mkdir()
    assert (await piped(*argv))[0] == 0
    assert (folder / "credentials" / "cutcard.deck").exists()
    status, _, complaint = await piped(*argv, "red")
    assert (status, complaint) == (2, f"cutcard deck: {prepared}: line 1: {OF_ANOTHER}\n")
    blue = tuple(line.replace("E0040153", "E0040155") for line in LINES)
    status, _, _ = await piped(*argv[:-1], str(written(folder, blue)), "blue")
    assert status == 0
    assert (folder / "credentials" / "cutcard.deck-blue").exists()
    status, said, _ = await piped("deck", "list", "--config", str(table))
    assert [line.split(",")[0] for line in said.splitlines()] == [
        "deck: 52 cards",
        "blue: 52 cards",
    ]
    status, _, complaint = await piped(*argv, "a/b")
    assert (status, complaint.count("\n")) == (2, 1)


def test_forms_that_are_understood(tmp_path: Path) -> None:
    deck = {tag: card for card, tag in TAGS.items()}
    plain = ("\ufeffUID;card", "# two jokers", *LINES, "e0:04:01:53:00:00:01:00; x1")
    semicolons = tuple(line.replace(",", " ; ") for line in plain)
    assert read_prepared(written(tmp_path, semicolons), OTHERS) == {
        **deck,
        "E004015300000100": "X1",
    }
    tens = tuple(f"{tag}\t{card.replace('T', '10').upper()}" for card, tag in TAGS.items())
    assert read_prepared(written(tmp_path, tens), OTHERS) == deck
    toml = tuple(f'"{tag}" = "{card}"' for card, tag in TAGS.items())
    assert read_prepared(written(tmp_path, toml, "list.toml"), OTHERS) == deck


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("E004015300000034", "line 52: is not of the form TAG,CARD"),
        ("E004015300000034,Ac,x", "line 52: is not of the form TAG,CARD"),
        ("E00401530000003,Ac", "line 52: not a tag: a UID in hex, 4 to 16 bytes"),
        ("E004015300000034,1c", "line 52: not a card code, such as As, 10h or X1"),
        ("E004015300000034,2s", "line 52: the same card as in line 1"),
        (f"{TAGS['2s']},Ac", "line 52: the same tag as in line 1"),
        ("E004015400000001,Ac", "line 52: this tag is a card of deck blue"),
        ("E004015400000002,Ac", "line 52: this tag is the table's button, not a card"),
    ],
)
def test_faults_are_told_by_line(tmp_path: Path, line: str, fault: str) -> None:
    path = written(tmp_path, (*LINES[:51], line))
    with pytest.raises(ConfigError) as refused:
        read_prepared(path, OTHERS)
    assert str(refused.value) == f"{path}: {fault}"
