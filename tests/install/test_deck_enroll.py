"""`cutcard deck enroll` as a person does it, at a terminal, on a virtual table."""

from __future__ import annotations

import asyncio
import json
import stat
from pathlib import Path

import pytest

from controller.contract.cards import CARDS
from controller.install.cards import IN_ORDER
from controller.install.deck_files import part_of, write_deck
from controller.storage.journal import Counters, Journal
from controller.table.deck_file import read_deck_file, read_part
from firmware_bridge.link.messages import ZoneFlag
from firmware_bridge.virtual.table import VirtualTable
from tests.install.alone import a_felt_alone
from tests.install.terminal import Terminal, piped, typing
from tests.journal.lines import append
from tests.table.felt import ZONES, a_table
from tests.waiting import until

SCANS = 6
SCAN_S = 0.12
"""Between two cards the antenna is read so often, and a person is no faster."""


def without_file(folder: Path, tags: dict[str, str], *missing: str) -> Path:
    """The felt's deck is registered up to some cards; returns its file, which is not there."""
    file = folder / "deck.toml"
    file.unlink()
    if missing:
        so_far = {tag: card for card, tag in tags.items() if card not in missing}
        write_deck(part_of(file), so_far)
    return file


async def pause() -> None:
    """The table has its turns meanwhile, however late we are."""
    for _ in range(SCANS):
        await asyncio.sleep(SCAN_S)


async def lay(virtual: VirtualTable, terminal: Terminal, tag: str, words: str) -> None:
    virtual.place("muck", tag)
    await terminal.says(words)
    virtual.take("muck", tag)
    await pause()


def test_a_deck_card_by_card(tmp_path: Path) -> None:
    asyncio.run(_card_by_card(tmp_path))


async def _card_by_card(folder: Path) -> None:
    async with a_felt_alone(folder) as (virtual, tags):
        file = without_file(folder, tags)
        argv = ("deck", "enroll", "--config", str(folder / "table.toml"), "--jokers", "0")
        async with typing(*argv) as terminal:
            await terminal.says("The deck: 52 cards, on the muck antenna.")
            await terminal.says("Lay the ace of spades on the muck antenna … 1 of 52")
            await lay(virtual, terminal, tags["As"], "The ace of spades is enrolled.")
            await terminal.says("Lay the 2 of spades on the muck antenna … 2 of 52")
            await lay(virtual, terminal, tags["As"], "That is the ace of spades, already enrolled")
            await lay(virtual, terminal, tags["Kd"], "The 2 of spades is enrolled.")
            terminal.press("b")
            await terminal.says("The 2 of spades is no longer enrolled: take it away.")
            await terminal.says("Lay the 2 of spades")
            await lay(virtual, terminal, tags["2s"], "The 2 of spades is enrolled.")
            terminal.press("\n\n")
            await terminal.says("The ace of spades is no longer enrolled")
            terminal.press("\n")
            await terminal.says("There is no card before this one.")
            terminal.press("q")
            await terminal.says(
                "Stopped: 0 of 52 are saved; the same command continues from there."
            )
            assert await terminal.status() == 1
            assert terminal.echoes
        assert not file.exists()
        assert not [tag for tag in tags.values() if tag in terminal.screen]


@pytest.mark.long
def test_killed_and_begun_again_it_goes_on_and_is_finished(tmp_path: Path) -> None:
    asyncio.run(_killed(tmp_path))


async def _killed(folder: Path) -> None:
    async with a_felt_alone(folder) as (virtual, tags):
        file = without_file(folder, tags, "Jc", "Qc", "Kc")
        argv = ("deck", "enroll", "--config", str(folder / "table.toml"))
        async with typing(*argv) as terminal:
            await terminal.says("54 cards, 49 of them already enrolled")
            await terminal.says("Lay the jack of clubs on the muck antenna … 50 of 54")
            await lay(virtual, terminal, tags["Jc"], "The jack of clubs is enrolled.")
            terminal.kill()
            await terminal.status()
        assert stat.S_IMODE(part_of(file).stat().st_mode) == 0o600
        assert len(read_part(part_of(file))) == 50
        async with typing(*argv) as terminal:
            await terminal.says("Lay the queen of clubs on the muck antenna … 51 of 54")
            await lay(virtual, terminal, tags["Qc"], "The queen of clubs is enrolled.")
            # The next one on top of it:
            virtual.place("muck", tags["Qc"])
            await terminal.says("That is the queen of clubs")
            await lay(virtual, terminal, tags["Kc"], "The king of clubs is enrolled.")
            await terminal.says("Lay the first joker on the muck antenna … 53 of 54")
            terminal.press("\x03")
            await terminal.says("Stopped: 52 of 54 are saved")
            assert await terminal.status() == 130
        async with typing(*argv, "--jokers", "0") as terminal:
            await terminal.says(f"The deck is enrolled: 52 cards, in {file}.")
            assert await terminal.status() == 0
        assert read_deck_file(file) == {tags[card]: card for card in CARDS}
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        assert not part_of(file).exists()
        status, _, complaint = await piped(*argv)
        assert status == 2
        assert complaint == (
            f"cutcard deck: {file}: the deck is already enrolled; to redo it, move this file away\n"
        )


def test_what_is_no_card_of_this_deck_is_refused(tmp_path: Path) -> None:
    asyncio.run(_refused(tmp_path))


async def _refused(folder: Path) -> None:
    async with a_felt_alone(folder) as (virtual, tags):
        without_file(folder, tags, "Qc", "Kc")
        blue = {f"E0040151{number:08X}": card for number, card in enumerate(CARDS)}
        write_deck(folder / "blue.toml", blue)
        table = folder / "table.toml"
        table.write_text(
            table.read_text().replace(
                '[deck]\n        file = "deck.toml"',
                '[decks]\nred = { file = "deck.toml" }\nblue = { file = "blue.toml" }\n'
                '[deck.objects]\nE00401520000000A = "cut-card"\n',
            )
        )
        status, _, complaint = await piped("deck", "enroll", "--config", str(table))
        assert (status, complaint) == (
            2,
            f"cutcard deck: {table}: there are several decks; which one? red, blue\n",
        )
        async with typing(
            "deck", "enroll", "red", "--config", str(table), "--jokers", "0"
        ) as terminal:
            await terminal.says("Lay the queen of clubs on the muck antenna … 51 of 52")
            of_blue = next(iter(blue))
            await lay(virtual, terminal, of_blue, "That is a card of deck blue: take it away.")
            await lay(virtual, terminal, "E00401520000000A", "not a card but the table's cut-card")
            virtual.place("muck", tags["Qc"])
            virtual.place("muck", tags["Kc"])
            await terminal.says("There are 2 new cards: take away all but the queen of clubs.")
            virtual.take("muck", tags["Kc"])
            await terminal.says("The queen of clubs is enrolled.")
            await terminal.says("52 of 52")
            await pause()
            virtual.place("muck", tags["Kc"])
            await terminal.says("Deck red is enrolled: 52 cards")
            assert await terminal.status() == 0
        assert read_deck_file(folder / "deck.toml") == {tags[card]: card for card in CARDS}


def test_beside_the_service_until_a_hand_begins(tmp_path: Path) -> None:
    asyncio.run(_beside_the_service(tmp_path))


async def _beside_the_service(folder: Path) -> None:
    async with a_table(folder) as (felt, room, _):
        await until(lambda: (room.last("T1/$state") or {})["state"] == "ready")
        other = folder / "other.toml"
        argv = ("deck", "enroll", "new", "--config", str(folder / "table.toml"))
        async with typing(*argv, "--file", str(other), "--zone", "burn", "--json") as terminal:
            await terminal.says('{"kind":"wanted","card":"As","number":1,"of":54}')
            felt.virtual.place("burn", "E004015300000001")
            await terminal.says('{"kind":"enrolled","card":"As"}')
            felt.virtual.take("burn", "E004015300000001")
            await pause()
            felt.virtual.place("burn", felt.tags["5h"])
            await terminal.says('{"kind":"of-another","deck":"deck"}')
            felt.virtual.take("burn", felt.tags["5h"])
            await felt.enter(kind="riffle")
            await terminal.says('{"kind":"stopped","enrolled":1,"of":54}')
            await terminal.says(
                "cutcard deck: hand 1 is open: cards are not named until it is over"
            )
            assert await terminal.status() == 1
        assert read_part(part_of(other)) == {"E004015300000001": "As"}
        for command in (("check",), ("enroll", "new", "--file", str(other))):
            status, said, complaint = await piped(
                "deck", *command, "--config", str(folder / "table.toml")
            )
            assert (status, said) == (1, "")
            assert complaint == (
                "cutcard deck: hand 1 is open: cards are not named until it is over\n"
            )


@pytest.mark.parametrize("command", ["enroll", "check", "prepared"])
def test_while_the_journal_says_that_a_hand_is_open(tmp_path: Path, command: str) -> None:
    asyncio.run(_journal_says_open(tmp_path, command))


async def _journal_says_open(folder: Path, command: str) -> None:
    async with a_felt_alone(folder) as (_, tags):
        argv = ["deck", command, "--config", str(folder / "table.toml")]
        if command == "prepared":
            (folder / "list.csv").write_text(
                "".join(f"{tag},{card}\n" for card, tag in tags.items())
            )
            argv[1:2] = ["enroll", "--list", str(folder / "list.csv")]
        if command != "check":
            without_file(folder, tags)
        journal = Journal.open(folder / "journal.sqlite", report=print)
        append(journal, b"{}", hand=12, counters=Counters(open=12))
        journal.close()
        status, said, complaint = await piped(*argv)
        assert (status, said) == (1, "")
        assert complaint == "cutcard deck: hand 12 is open: cards are not named until it is over\n"
        assert not part_of(folder / "deck.toml").exists()


def test_where_nothing_can_be_kept_nothing_is_asked(tmp_path: Path) -> None:
    asyncio.run(_nothing_kept(tmp_path))


async def _nothing_kept(folder: Path) -> None:
    async with a_felt_alone(folder) as (_, tags):
        argv = ("deck", "enroll", "--config", str(folder / "table.toml"))
        nowhere = folder / "none" / "deck.toml"
        assert await piped(*argv, "--file", str(nowhere)) == (
            2,
            "",
            f"cutcard deck: {folder / 'none'}: no such folder\n",
        )
        table = folder / "table.toml"
        file = without_file(folder, tags, "As")
        objects = f'[deck.objects]\n{tags["5d"]} = "button"\n'
        table.write_text(f"{table.read_text()}\n{objects}")
        status, said, complaint = await piped(*argv)
        assert (status, said) == (2, "")
        assert complaint == (
            f"cutcard deck: {part_of(file)}: "
            "a tag in it also belongs to another deck or the table\n"
        )
        for zone, hint in (("muc", "; did you mean 'muck'?"), ("stub", "")):
            status, _, complaint = await piped(*argv, "--zone", zone)
            assert (status, complaint) == (
                2,
                f"cutcard deck: {table}: there is no zone '{zone}' here{hint}\n",
            )


def test_with_plain_input_and_json(tmp_path: Path) -> None:
    asyncio.run(_plain_input(tmp_path))


async def _plain_input(folder: Path) -> None:
    async with a_felt_alone(folder) as (_, tags):
        without_file(folder, tags, "Kc")
        argv = ("deck", "enroll", "--config", str(folder / "table.toml"), "--json")
        status, said, complaint = await piped(*argv, "--jokers", "0", keys="b\n\nx\nq\n")
        assert (status, complaint) == (1, "")
        told = [json.loads(line) for line in said.splitlines()]
        assert [line for line in told if line["kind"] != "trouble"] == [
            {"kind": "began", "deck": "deck", "zone": "muck", "enrolled": 51, "of": 52},
            {"kind": "wanted", "card": "Kc", "number": 52, "of": 52},
            {"kind": "back", "card": "Qc"},
            {"kind": "wanted", "card": "Qc", "number": 51, "of": 52},
            {"kind": "back", "card": "Jc"},
            {"kind": "wanted", "card": "Jc", "number": 50, "of": 52},
            {"kind": "stopped", "enrolled": 49, "of": 52},
        ]


def test_an_antenna_that_is_silent_is_told_of(tmp_path: Path) -> None:
    asyncio.run(_silent(tmp_path))


async def _silent(folder: Path) -> None:
    async with a_felt_alone(folder) as (virtual, tags):
        without_file(folder, tags)
        virtual.unplug()
        argv = ("deck", "enroll", "--config", str(folder / "table.toml"))
        async with typing(*argv) as terminal:
            await terminal.says(f"{folder / 'port'} is not there: is the device plugged in?")
            virtual.plug()
            await asyncio.sleep(1)
            virtual.device.trouble(ZONES.index("muck"), ZoneFlag.FAILED)
            await terminal.says("the muck antenna does not answer")
            virtual.device.trouble(ZONES.index("muck"), ZoneFlag(0))
            await lay(virtual, terminal, tags[IN_ORDER[0]], "The ace of spades is enrolled.")
            terminal.press("q")
            assert await terminal.status() == 1
