"""docs/pico.md: what it says to copy and to solder is what there is."""

from __future__ import annotations

import re
from ast import literal_eval
from pathlib import Path

import pytest

from controller.install.pico.boards import board
from controller.install.pico.sources import MICROPYTHON, PICO_SDK, TINYUSB
from controller.install.pico.stock import PINNED
from firmware_bridge.flashing.form import values_of
from firmware_bridge.pico.sim import wiring
from firmware_bridge.pico.sim.pico import SimulatedPico
from tests.firmware_pico.host import Host, flawless

PAGE = (Path(__file__).parents[2] / "docs" / "pico.md").read_text("utf-8")


def test_the_boards_of_the_page_are_boards(tmp_path: Path) -> None:
    file = tmp_path / "boards.toml"
    file.write_text(PAGE.partition("```toml\n")[2].partition("```")[0], "utf-8")
    assert "\nSPI_HZ = 250000\n" in board("A", file).wiring
    assert board("F", file).counts == board("E", file).counts


def test_the_page_says_what_is_pinned() -> None:
    for name, sha256 in PINNED.items():
        assert f"`{name}` has to have the SHA-256\n  `{sha256}`" in PAGE
    for part in (MICROPYTHON, PICO_SDK, TINYUSB):
        assert part.version.partition("-")[0].partition("+")[0] in PAGE


def test_the_table_of_wires_is_the_shipped_wiring() -> None:
    shipped = wiring.load(wiring.SHIPPED)
    rows = dict(re.findall(r"^\| ([\d, …]+) \| [^|]+ \| (.+?) \|$", PAGE, re.M))
    assert shipped.spi
    _, sck, mosi, miso = shipped.spi
    assert rows[f"{sck}, {mosi}, {miso}"].startswith("SCK, MOSI, MISO")
    for number, reader in enumerate(shipped.readers):
        pins = f"{reader['nss']}, {reader['busy']}, {reader['reset']}"
        assert rows[pins] == f"NSS, BUSY, RST of reader {number}"
    assert shipped.buttons == tuple(range(2, 12))
    assert rows["2 … 11"].startswith("buttons 0 … 9")
    assert rows[str(shipped.lamps[0])].startswith("data of the WS2812 chain")


def test_the_borders_of_the_page_are_borders_on_free_pins(tmp_path: Path) -> None:
    shipped = wiring.SHIPPED.read_text("utf-8")
    told = re.findall(r"^ *(BORDERS = .*)$", PAGE, re.M)
    comment = re.findall(r"^# (BORDERS = .*)$", shipped, re.M)
    assert len(told) == 2
    assert told[0].startswith(comment[0])
    borders: list[wiring.Border] = []
    for text in told:
        file = tmp_path / "wiring.py"
        file.write_text(shipped.replace("\nBORDERS = ()", f"\n{text}"), "utf-8")
        borders += wiring.load(file).borders
    assert [border.first for border in borders] == [True, False]
    assert {(border.ours, border.theirs) for border in borders} == {(1, 12)}
    assert "| 1, 12 | 2, 16 | nothing; at a border (below) `ours` and `theirs` |" in PAGE


@pytest.mark.usefixtures("micropython")
def test_the_entries_of_a_pn532_are_such_as_the_firmware_takes(tmp_path: Path) -> None:
    entries = re.findall(r'`(\{"chip": "PN532".+?\})`', PAGE)
    assert {literal_eval(entry).get("bus", "uart") for entry in entries} == {"uart", "spi", "i2c"}
    file = tmp_path / "wiring.py"
    text = wiring.SHIPPED.read_text("utf-8")
    readers = text.index("READERS = (")
    end = text.index("\n)\n", readers)
    text = f"{text[:readers]}READERS = ({', '.join(entries)},{text[end:]}"
    file.write_text(text.replace("BUTTONS = (2, 3, 4, 5, 6, 7, 8, 9, 10, 11)", "BUTTONS = ()"))
    with SimulatedPico(file) as pico, Host(pico.port) as host:
        pico.air.place(1, "11223344")
        host.sees(1, "11223344")
        pico.air.place(2, "55667788")
        host.sees(2, "55667788")
        flawless(pico)


def test_links_lead_somewhere() -> None:
    for link in re.findall(r"\]\((?!https:)([^)]+)\)", PAGE):
        assert (Path(__file__).parents[2] / "docs" / link).resolve().is_file()


def test_the_page_says_which_pins_the_boards_leave_free() -> None:
    told = re.search(r"what its borders leave: GPIO (.+?)\.\n", PAGE, re.DOTALL)
    assert told
    free = {}
    for label in "ABCDE":
        said = values_of(board(label, None).wiring)
        numbers = [*said["SPI"][1:], *said["BUTTONS"], *said["LAMPS"][:1]]
        numbers += [reader[key] for reader in said["READERS"] for key in ("nss", "busy", "reset")]
        numbers += [border[key] for border in said["BORDERS"] for key in ("ours", "theirs")]
        free[label] = {*range(23), 26, 27, 28} - {0, *numbers}
    assert free == {
        "A": {11},
        "B": set(),
        "C": set(),
        "D": {1, *range(5, 11)},
        "E": {1, 11, 12, 28},
    }
    assert told[1] == "11 on A, 1 and 5 to 10 on D, 1, 11, 12 and 28 on E, none on B and C"
