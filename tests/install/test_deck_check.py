"""`cutcard deck check` and `cutcard deck list`, at a terminal and with plain pipes."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from controller.contract.cards import CARDS
from controller.install.attended import places
from controller.install.deck_files import part_of, write_deck
from controller.table.config import load_table_config
from firmware_bridge.link.messages import ZoneFlag
from tests.install.alone import a_felt_alone
from tests.install.terminal import piped, typing
from tests.table.felt import ZONES, a_table, write_table
from tests.waiting import until

BLUE = {f"E0040151{number:08X}": card for number, card in enumerate(CARDS)}


def two_decks(folder: Path) -> None:
    write_deck(folder / "blue.toml", BLUE)
    table = folder / "table.toml"
    table.write_text(
        table.read_text().replace(
            '[deck]\n        file = "deck.toml"',
            '[decks]\nred = { file = "deck.toml" }\nblue = { file = "blue.toml" }\n'
            '[deck.objects]\nE00401520000000A = "button"\n',
        )
    )


def test_in_packets_until_all_were_there(tmp_path: Path) -> None:
    asyncio.run(_in_packets(tmp_path))


async def _in_packets(folder: Path) -> None:
    async with a_felt_alone(folder) as (virtual, tags):
        async with typing("deck", "check", "--config", str(folder / "table.toml")) as terminal:
            await terminal.says("The deck: lay its 52 cards on the antennas")
            packet = [tags[card] for card in CARDS[:20]]
            for tag in packet:
                virtual.place("muck", tag)
            await terminal.says("20 of 52 cards")
            for tag in packet:
                virtual.take("muck", tag)
            for card in CARDS[18:51]:
                virtual.place("board", tags[card])
            await terminal.says("51 of 52 cards")
            virtual.place("burn", tags[CARDS[51]])
            await terminal.says("The deck is complete: 52 cards.")
            assert await terminal.status() == 0
            assert terminal.echoes
        assert not [tag for tag in tags.values() if tag in terminal.screen]


@pytest.mark.long
def test_what_is_missing_foreign_or_of_another_deck(tmp_path: Path) -> None:
    asyncio.run(_what_is_wrong(tmp_path))


async def _what_is_wrong(folder: Path) -> None:
    async with a_felt_alone(folder) as (virtual, tags):
        two_decks(folder)
        for card in CARDS[:50]:
            virtual.place("muck", tags[card])
        for tag in (*list(BLUE)[:3], "E0040153000012AB", "E00401520000000A"):
            virtual.place("board", tag)
        argv = ("deck", "check", "red", "--config", str(folder / "table.toml"))
        async with typing(*argv) as terminal:
            await terminal.says("50 of 52 cards, 3 of another deck, 1 foreign")
            terminal.press("\n")
            await terminal.says("Deck red is incomplete: 50 of 52 cards were read.")
            await terminal.says("Missing: ace of clubs, king of clubs.")
            await terminal.says("3 cards are of deck blue.")
            await terminal.says("1 card is foreign. Its tag ends in 12AB.")
            assert await terminal.status() == 1
        status, said, _ = await piped(*argv, "--seconds", "6", "--json")
        assert status == 1
        results: list[dict[str, Any]] = [json.loads(line) for line in said.splitlines()]
        assert results[-1] == {
            "kind": "result",
            "deck": "red",
            "seen": 50,
            "of": 52,
            "missing": ["Kc", "Ac"],
            "spare": [],
            "others": {"blue": 3},
            "foreign": ["12AB"],
            "complete": False,
            "lacking": 2,
        }
        assert results[-2]["kind"] == "count"
        status, said, _ = await piped(*argv, "--zone", "burn", "--seconds", "0.5")
        assert (status, said.splitlines()[-1:]) == (1, ["No card was read."])


def test_another_deck_is_told_in_one_line(tmp_path: Path) -> None:
    asyncio.run(_another_deck(tmp_path))


async def _another_deck(folder: Path) -> None:
    async with a_felt_alone(folder) as (virtual, _):
        two_decks(folder)
        for tag in BLUE:
            virtual.place("muck", tag)
        argv = ("deck", "check", "red", "--config", str(folder / "table.toml"))
        status, said, complaint = await piped(*argv, "--seconds", "4")
        assert (status, complaint) == (1, "")
        assert said.splitlines()[-1:] == ["This is deck blue, not deck red."]
        status, said, _ = await piped(*argv[:2], "blue", *argv[3:])
        assert (status, said.splitlines()[-1:]) == (0, ["Deck blue is complete: 52 cards."])


def test_beside_the_service(tmp_path: Path) -> None:
    asyncio.run(_beside_the_service(tmp_path))


async def _beside_the_service(folder: Path) -> None:
    async with a_table(folder) as (felt, room, _):
        await until(lambda: (room.last("T1/$state") or {})["state"] == "ready")
        async with typing("deck", "check", "--config", str(folder / "table.toml")) as terminal:
            await terminal.says("The deck")
            for card in CARDS[:51]:
                felt.place("muck", card)
            await terminal.says("51 of 52 cards")
            terminal.press("q")
            await terminal.says("Missing: ace of clubs.")
            assert await terminal.status() == 1
        async with typing("deck", "check", "--config", str(folder / "table.toml")) as terminal:
            await terminal.says("51 of 52 cards")
            terminal.press("\x03")
            assert await terminal.status() == 130


@pytest.mark.long
def test_antennas_that_cannot_read_are_told_of(tmp_path: Path) -> None:
    asyncio.run(_cannot_read(tmp_path))


async def _cannot_read(folder: Path) -> None:
    async with a_felt_alone(folder) as (virtual, tags):
        argv = ("deck", "check", "--config", str(folder / "table.toml"))
        async with typing(*argv) as terminal:
            await terminal.says("The deck")
            virtual.place("muck", tags["As"])
            virtual.device.trouble(ZONES.index("muck"), ZoneFlag.INCOMPLETE)
            await terminal.says("1 of 52 cards; too many on the muck antenna")
            virtual.device.trouble(ZONES.index("muck"), ZoneFlag.FAILED)
            await asyncio.sleep(6.0)
            terminal.press("\n")
            await terminal.says("  the muck antenna does not answer")
            await terminal.says("The deck is incomplete: 1 of 52 cards were read.")
            await terminal.says("What is missing is named once 45 have been read.")
        virtual.unplug()
        status, said, complaint = await piped(*argv, "--seconds", "0.7", "--json")
        assert status == 1
        assert json.loads(said) == {
            "kind": "trouble",
            "text": f"{folder / 'port'} is not there: is the device plugged in?",
        }
        assert complaint == (
            f"cutcard deck: {folder / 'port'} is not there: is the device plugged in?; no antenna "
            "tells whether cards lie at seats 1, 2 and 3: floor and dealer have to say that no "
            "hand is played, at the dealer's screen (Floor, Name cards), or with --no-hand if the "
            "table's service does not run\n"
        )
        status, said, _ = await piped(
            *argv, "--seconds", "0.7", "--no-hand", keys="no hand\nno hand\n"
        )
        assert (status, said.splitlines()[-1]) == (1, "No card was read.")
        status, said, complaint = await piped(*argv, "--no-hand", keys="no hand\n")
        assert (status, said) == (1, "")
        assert complaint.endswith("a hand may be on: nothing is named\n")


def test_readers_of_the_puck_read_no_cards(tmp_path: Path) -> None:
    write_table(tmp_path, "roberts")
    table = tmp_path / "table.toml"
    puck = '[[port]]\ndevice = "/dev/puck"\nreader = "rdm6300"\nzones = ["seat/1"]\n'
    table.write_text(table.read_text() + puck)
    config = load_table_config(table)
    port = str(tmp_path / "port")
    assert places(config) == {(port, zone) for zone in ("board", "burn", "muck")}
    assert places(config, "seat/1") == frozenset()


def test_the_decks_are_listed(tmp_path: Path) -> None:
    asyncio.run(_listed(tmp_path))


async def _listed(folder: Path) -> None:
    tags = write_table(folder, "roberts")
    argv = ("deck", "list", "--config", str(folder / "table.toml"))
    assert await piped(*argv) == (0, f"deck: 52 cards, {folder / 'deck.toml'}\n", "")
    two_decks(folder)
    red, blue = folder / "deck.toml", folder / "blue.toml"
    red.chmod(0o644)
    blue.unlink()
    write_deck(part_of(blue), dict(list(BLUE.items())[:7]))
    status, said, complaint = await piped(*argv)
    assert (status, complaint) == (1, "")
    assert said.splitlines() == [
        f"red: 52 cards, {red}",
        f"  warning: {red}: others can read which tag is which card; chmod 600 {red}",
        f"blue: 7 cards, {blue}",
        "  warning: not finished: cutcard deck enroll blue continues it",
    ]
    red.write_text(red.read_text().replace('"As"', '"2s"'))
    part_of(blue).unlink()
    status, said, _ = await piped(*argv, "--json")
    lines = [json.loads(line) for line in said.splitlines()]
    assert [line["is_complete"] for line in lines] == [False, False]
    assert lines[0]["warnings"][0] == "line 13: the same card as in line 1"
    assert lines[1]["warnings"] == ["no such file yet: cutcard deck enroll blue creates it"]
    assert not [tag for tag in tags.values() if tag in said]
