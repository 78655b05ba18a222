"""docs/build.md, followed to the letter at a table of software; what it says is what there is."""

from __future__ import annotations

import asyncio
import json
import re
import shlex
import subprocess
import time
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from controller.__main__ import COMMANDS
from controller.contract.cards import CARDS
from controller.install.deck_files import part_of, write_deck
from controller.install.pico.boards import board
from controller.table.config import load_table_config
from controller.table.deck_file import read_deck_file
from firmware_bridge.pico.sim import wiring
from firmware_bridge.pico.sim.pico import SimulatedPico, interpreter
from firmware_bridge.probe import Answer, as_delivered, who_is_at
from firmware_bridge.readers.pico.family import PICO
from firmware_bridge.virtual.table import VirtualTable
from tests.install.person import Person, at_terminal, piped, running, sync
from tests.waiting import answers, until

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "build.md").read_text("utf-8")
STEPS: dict[str, str] = dict(
    re.findall(r"<!-- step: (\w+) -->\n```sh\n(.+?)\n```", PAGE, re.DOTALL)
)
TAGS = {card: f"E0040150{number:08X}" for number, card in enumerate(CARDS)}
BUTTONS = [(seat, label) for seat in (1, 2, 3) for label in ("fold", "call", "raise")]


def argv(step: str) -> list[str]:
    """The step's command, which is `cutcard`, without that word."""
    program, *arguments = shlex.split(STEPS[step])
    assert program == "cutcard"
    return arguments


def a_table(folder: Path) -> list[VirtualTable]:
    """Two boards: three seats with nine buttons and lamps, and what lies in the middle."""
    (folder / "dev").mkdir()
    return [
        VirtualTable(
            ("seat/1", "seat/2", "seat/3"),
            BUTTONS,
            clock=time.monotonic,
            lamps=3,
            link=folder / "dev" / "pico-a",
        ),
        VirtualTable(
            ("stub", "board", "burn", "muck"),
            clock=time.monotonic,
            link=folder / "dev" / "pico-b",
        ),
    ]


@pytest.mark.long
@sync
async def test_from_the_settings_to_a_finding_in_the_first_hand(tmp_path: Path) -> None:
    seats, middle = a_table(tmp_path)
    async with running(seats, middle):
        await init(tmp_path, seats, middle)
        await enroll(tmp_path, middle)
        status, out, err = await piped(*argv("doctor"), "--json", cwd=tmp_path)
        checks = json.loads(out)
        of_table = {"ports", "readers", "deck", "rulebook", "journal"}
        failed = [each for each in checks if each["status"] == "fail" and each["part"] in of_table]
        assert not failed, (status, err)
        assert {each["part"] for each in checks} >= of_table
        await first_hand(tmp_path, seats, middle)
    for_the_service(tmp_path)


async def init(folder: Path, seats: VirtualTable, middle: VirtualTable) -> None:
    here = ("--ports", str(folder / "dev" / "*"))  # there are no real ports here
    async with at_terminal(*argv("init"), *here, cwd=folder) as person:
        await person.answers("Name of the table")
        await person.answers("Seats [", "3")
        for question in ("Blinds", "Rule book [", "Antennas of the board", "with a card [yes]"):
            await person.answers(question)
        for zone in ("seat/1", "seat/2", "seat/3", "board", "burn", "muck", "stub"):
            await person.sees(f"Lay any card on the antenna of {zone} ")
            board = seats if zone.startswith("seat") else middle
            board.place(zone, TAGS["As"])
            await person.sees(f"  {zone}: antenna ")
            board.take(zone, TAGS["As"])
        await person.answers("by pressing them [yes]")
        await person.answers("Buttons of a seat [fold call raise]: ")
        for seat, label in BUTTONS:
            await person.sees(f"Seat {seat}: press {label} ")
            seats.press(seat, label)
            await person.sees(f"seat {seat} {label}: button ")
        await person.answers("by lighting them [yes]")
        for _ in (1, 2, 3):
            await person.answers("Whose lamp blinks?")
        for question in ("Screen [here]", "Broker [none]", "Write table.toml [yes]"):
            await person.answers(question)
        await person.sees(STEPS["enroll"])
        assert await person.leaves() == 0


async def enroll(folder: Path, middle: VirtualTable) -> None:
    async with at_terminal(*argv("enroll"), cwd=folder) as person:
        await person.sees("Lay the ace of spades on the muck antenna")
        await lay(person, middle, "As", "ace of spades")
        await person.sees("Lay the 2 of spades")
        person.types("q")
        await person.sees("the same command continues")
    # Fifty more, which a person would lay one by one.
    file = folder / "deck.toml"
    rest = {TAGS[card]: card for card in CARDS if card != "Kc"}
    write_deck(part_of(file), rest)
    async with at_terminal(*argv("enroll"), "--jokers", "0", cwd=folder) as person:
        await person.sees("Lay the king of clubs")
        await lay(person, middle, "Kc", "king of clubs")
        assert await person.leaves() == 0
    assert read_deck_file(file) == {tag: card for card, tag in TAGS.items()}


async def lay(person: Person, middle: VirtualTable, card: str, spoken: str) -> None:
    middle.place("muck", TAGS[card])
    await person.sees(f"The {spoken} is enrolled")
    middle.take("muck", TAGS[card])
    await asyncio.sleep(0.6)


async def first_hand(folder: Path, seats: VirtualTable, middle: VirtualTable) -> None:
    async with at_terminal(*argv("table"), cwd=folder) as person:
        await until(lambda: "pico-a is up" in person.text and "pico-b is up" in person.text)
        socket = load_table_config(folder / "table.toml").socket
        await until(lambda: answers(socket))
        reader, writer = await asyncio.open_unix_connection(socket, limit=1 << 20)
        views: list[dict[str, object]] = []

        async def watch() -> None:
            while line := await reader.readline():
                views.append(json.loads(line)["view"])

        watching = asyncio.create_task(watch())
        writer.write(b'{"kind":"riffle"}\n')
        for number, card in enumerate(CARDS[:6]):
            await asyncio.sleep(0.6)
            seats.place(f"seat/{(number + 1) % 3 + 1}", TAGS[card])
        await until(lambda: views and views[-1].get("phase") == "preflop")
        for seat in (1, 2):
            await asyncio.sleep(0.6)
            seats.press(seat, "call")
        await asyncio.sleep(0.6)
        writer.write(b'{"kind":"press","seat":3,"button":"check","by":"dealer"}\n')
        await asyncio.sleep(0.6)
        middle.place("burn", TAGS[CARDS[6]])
        await asyncio.sleep(0.8)
        for card in CARDS[7:11]:
            middle.place("board", TAGS[card])
            await asyncio.sleep(0.15)
        await until(lambda: '"four-card-flop"' in json.dumps(views[-1]))
        writer.close()
        watching.cancel()
        await asyncio.gather(watching, return_exceptions=True)
        person.presses_ctrl_c()
        assert await person.leaves() == 0


def for_the_service(folder: Path) -> None:
    subprocess.run(["sh", "-ec", STEPS["service"]], cwd=folder, check=True)
    before = load_table_config(folder / "table.toml")
    after = load_table_config(folder / "service.toml")
    assert after.ports == before.ports
    assert (str(after.socket), str(after.journal), str(after.keys)) == (
        "/run/cutcard/dealer.sock",
        "/var/lib/cutcard/journal.sqlite",
        "/run/cutcard/keys",
    )
    assert not after.decks
    lent = folder / "credstore"
    lent.mkdir()
    (folder / "deck.toml").rename(lent / "cutcard.deck")
    service = load_table_config(folder / "service.toml", {"CREDENTIALS_DIRECTORY": str(lent)})
    assert len(service.read_decks()["deck"]) == len(CARDS)


def test_every_command_of_the_guide_exists() -> None:
    code = "".join(re.findall(r"```sh\n.+?```|`[^`]+`", PAGE, re.DOTALL))
    told = re.findall(r"(?<![\w/])cutcard (\w+)", code)
    assert {"init", "deck", "doctor", "table", "dealer"} <= set(told)
    assert set(told) <= set(COMMANDS)


def test_the_table_of_wires_is_that_of_board_a(tmp_path: Path) -> None:
    (tmp_path / "wiring.py").write_text(board("A", None).wiring, "utf-8")
    shipped = wiring.load(tmp_path / "wiring.py")
    rows = {
        name: [cell.strip() for cell in cells.strip("|").split("|")]
        for name, cells in re.findall(r"^\| (NSS|BUSY|RST|SCK|MOSI|MISO) (\|.+)$", PAGE, re.M)
    }
    for signal, key in (("NSS", "nss"), ("BUSY", "busy"), ("RST", "reset")):
        assert rows[signal] == [str(reader[key]) for reader in shipped.readers]
    assert shipped.spi
    for signal, pin in zip(("SCK", "MOSI", "MISO"), shipped.spi[1:], strict=True):
        assert rows[signal] == [str(pin)] * len(shipped.readers)
    assert f"{shipped.buttons[0]} … {shipped.buttons[-1]}" in PAGE
    wires = len(
        re.findall(r"^\| .+ \|$", PAGE.partition("| PN5180 |")[2].partition("\n\n")[0], re.M)
    )
    assert f"{18 * wires} wires, nine for each of 18 readers" in PAGE
    pico = (DOCS / "pico.md").read_text("utf-8")
    assert "| 36 (3V3) |" in pico
    assert "| 40 (VBUS) |" in pico
    assert "pin 36" in PAGE
    assert "pin 40" in PAGE


def test_the_sections_of_the_guide_are_boards(tmp_path: Path) -> None:
    """What it says for D and E, should they be closer together than in the drawing."""
    file = tmp_path / "boards.toml"
    file.write_text(PAGE.partition("```toml\n")[2].partition("```")[0], "utf-8")
    met = []
    for label in "DE":
        (tmp_path / "wiring.py").write_text(board(label, file).wiring, "utf-8")
        met.append(wiring.load(tmp_path / "wiring.py").borders)
    assert met[0][0] == wiring.Border((0,), 11, 12, False), "seat 10, as supplied"
    assert [border.first for border in (met[0][1], met[1][0])] == [True, False]
    assert (met[0][1].zones, met[1][0].zones) == ((1, 2), (0, 4))


def test_the_wiring_of_pico_e_starts_the_firmware(tmp_path: Path) -> None:
    source = re.search(r"<!-- wiring of Pico E -->\n```python\n(.+?)```", PAGE, re.DOTALL)
    assert source
    file = tmp_path / "wiring.py"
    file.write_text(source[1], encoding="utf-8")
    if interpreter() is None:
        pytest.skip("MicroPython's unix port is not installed")
    with SimulatedPico(file, link=tmp_path / "pico") as pico:
        manners = (as_delivered(PICO),)
        said = asyncio.run(who_is_at(pico.port, manners, clock=time.monotonic))
    assert isinstance(said, Answer), said
    assert (said.zones, said.buttons, said.lamps) == (6, 0, 0)
    assert not pico.crashes


@pytest.mark.parametrize("link", re.findall(r"\]\(([^)#]+)\)", PAGE))
def test_links_lead_somewhere(link: str) -> None:
    assert (DOCS / link).is_file()


def text(drawing: Path) -> list[str]:
    root = ET.parse(drawing).getroot()  # noqa: S314 - our own file
    return ["".join(each.itertext()) for each in root.iter("{http://www.w3.org/2000/svg}text")]


def test_seats_in_the_drawing_are_those_of_the_parts_list() -> None:
    words = text(DOCS / "drawings" / "table.svg")
    assert {str(seat) for seat in range(1, 11)} <= set(words)
    assert {"burn", "muck", "stub", "board"} <= set(words)
    letters = [word for word in words if re.fullmatch("[A-E]", word)]
    assert len(letters) == 18
    assert [letters.count(letter) for letter in "ABCDE"] == [3, 3, 3, 3, 6]
    assert "18 PN5180 modules" in PAGE
    assert "5 Pico or Pico 2" in PAGE
