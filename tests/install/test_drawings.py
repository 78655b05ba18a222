"""The drawings of docs/: wholly to be seen, readable, with the pins of boards and firmware."""

from __future__ import annotations

import re
import tomllib
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import NamedTemporaryFile

import msgspec
import pytest
from playwright.sync_api import Browser

from controller.install.pico.boards import board
from firmware_bridge.pico.sim import wiring
from tests.web.chromium import Parked

DOCS = Path(__file__).parents[2] / "docs"
DRAWINGS = sorted((DOCS / "drawings").glob("*.svg"))
GUIDE = (DOCS / "build.md").read_text("utf-8")
READERS = (DOCS / "readers.md").read_text("utf-8")
SVG = "{http://www.w3.org/2000/svg}"

_PICO = """
    GP0 GP1 GND GP2 GP3 GP4 GP5 GND GP6 GP7 GP8 GP9 GND GP10 GP11 GP12 GP13 GND GP14 GP15
    GP16 GP17 GND GP18 GP19 GP20 GP21 GND GP22 RUN GP26 GP27 AGND GP28 ADC_VREF 3V3 3V3_EN GND
    VSYS VBUS
"""
PICO = _PICO.split()
"""The Pico's pins 1 to 40 (Pico data sheet, figure 2)."""

_HEADER = """
    3V3 5V GPIO2 5V GPIO3 GND GPIO4 GPIO14 GND GPIO15 GPIO17 GPIO18 GPIO27 GND GPIO22 GPIO23
    3V3 GPIO24 GPIO10 GND GPIO9 GPIO25 GPIO11 GPIO8 GND GPIO7 GPIO0 GPIO1 GPIO5 GND GPIO6 GPIO12
    GPIO13 GND GPIO19 GPIO16 GPIO26 GPIO20 GND GPIO21
"""
HEADER = _HEADER.split()
"""The pins 1 to 40 of a Raspberry Pi's header, by BCM names."""

MEASURE = """() => {
    const drawing = document.documentElement
    const box = one => {
        const {left, top, right, bottom} = one.getBoundingClientRect()
        const style = getComputedStyle(one)
        const line = style.stroke === 'none' ? 0 : parseFloat(style.strokeWidth) / 2
        const words = one.textContent.trim()
        return [words, left - line, top - line, right + line, bottom + line]
    }
    const seen = [...drawing.querySelectorAll(
        'text, rect, circle, ellipse, line, polyline, polygon, path')]
        .filter(one => !one.closest('defs, pattern, clipPath, marker'))
    const [, ...rects] = seen.filter(one => one.matches('rect'))
    const [x, y, width, height] = drawing.getAttribute('viewBox').split(' ').map(Number)
    return {
        page: [x, y, x + width, y + height],
        shapes: seen.map(box),
        texts: seen.filter(one => one.matches('text')).map(box),
        rects: rects.map(box),
    }
}"""


Box = tuple[str, float, float, float, float]
"""The text of a shape, its left, top, right and bottom."""


class Measured(msgspec.Struct):
    page: tuple[float, float, float, float]
    shapes: list[Box]
    texts: list[Box]
    rects: list[Box]


@pytest.fixture
def browser(parked: Parked) -> Iterator[Browser]:
    with parked.driven() as browser:
        yield browser


@pytest.fixture(params=DRAWINGS, ids=lambda path: path.stem)
def measured(request: pytest.FixtureRequest, browser: Browser) -> Iterator[Measured]:
    page = browser.new_page(viewport={"width": 1600, "height": 1600})
    page.goto(request.param.as_uri())
    yield msgspec.convert(page.evaluate(MEASURE), Measured)
    page.close()


def overlap(one: Box, other: Box) -> bool:
    _, left, top, right, bottom = one
    _, left_2, top_2, right_2, bottom_2 = other
    return min(right, right_2) - max(left, left_2) > 0.5 < min(bottom, bottom_2) - max(top, top_2)


def test_nothing_reaches_over_the_edge(measured: Measured) -> None:
    left, top, right, bottom = measured.page
    assert len(measured.texts) > 5
    for name, *box in measured.shapes:
        assert box[0] >= left, name
        assert box[1] >= top, name
        assert box[2] <= right, name
        assert box[3] <= bottom, name


def test_no_text_lies_on_another_or_on_a_frame(measured: Measured) -> None:
    texts = measured.texts
    for number, one in enumerate(texts):
        for other in texts[:number]:
            assert not overlap(one, other), (one[0], other[0])
        for frame in measured.rects:
            _, left, top, right, bottom = frame
            inside = left <= one[1] and top <= one[2] and one[3] <= right and one[4] <= bottom
            assert inside or not overlap(one, frame), (one[0], frame)


def drawn(name: str) -> Mapping[str, list[str]]:
    """The texts of each group of a drawing that has a name."""
    root = ET.parse(DOCS / "drawings" / f"{name}.svg").getroot()  # noqa: S314 - our own file
    return {
        group.attrib["id"]: ["".join(one.itertext()) for one in group.iter(f"{SVG}text")]
        for group in root.iter(f"{SVG}g")
        if "id" in group.attrib
    }


def uses() -> dict[int, str]:
    """What hangs at each GPIO of Pico A."""
    shipped, beside = wired("A"), wired("B")
    (border,), (there, _) = shipped.borders, beside.borders
    assert shipped.spi
    shared = zip(("SCK", "MOSI", "MISO"), shipped.spi[1:], strict=True)
    return {
        **{pin: f"{signal} of all readers" for signal, pin in shared},
        **{
            reader[key]: f"{signal} of reader {number}"
            for number, reader in enumerate(shipped.readers)
            for signal, key in (("NSS", "nss"), ("BUSY", "busy"), ("RST", "reset"))
        },
        **{pin: f"button {number}" for number, pin in enumerate(shipped.buttons)},
        border.ours: f"to Pico B, GP{there.theirs}",
        border.theirs: f"from Pico B, GP{there.ours}",
        shipped.lamps[0]: "lamps",
    }


def wired(label: str) -> wiring.Wiring:
    """A board of the guide."""
    with NamedTemporaryFile("w", suffix=".py", encoding="utf-8") as file:
        file.write(board(label, None).wiring)
        file.flush()
        return wiring.load(Path(file.name))


def test_the_pins_of_the_pico_are_those_of_board_and_firmware() -> None:
    groups, used = drawn("wiring"), uses()
    for pin, name in enumerate(PICO, 1):
        label, *use = groups[f"pico-{pin}"]
        assert label == (f"{pin} · {name}" if pin <= 20 else f"{name} · {pin}")
        if name.startswith("GP"):
            expected = used.pop(int(name.removeprefix("GP")), "free")
            assert use[0].partition(";")[0] == expected, label
    assert not used
    assert groups["pico-40"][1] == "+5V of all readers, and the lamps"
    assert groups["pico-36"][1] == "+3V3 of all readers"


def test_the_pins_of_each_reader_lead_to_the_pins_of_the_pico() -> None:
    shipped, groups = wired("A"), drawn("wiring")
    assert [name for name in groups if name.startswith("reader-")] == [
        f"reader-{number}" for number in range(len(shipped.readers))
    ]
    owner = uses()
    for number in range(len(shipped.readers)):
        heading, *rest = (text for text in groups[f"reader-{number}"] if text != "antenna")
        assert heading == f"PN5180, reader {number}: seat {number + 1}"
        leads = {rest[at - 1]: text for at, text in enumerate(rest) if re.match(r"\d|any", text)}
        told = {name: lead.partition(" · ") for name, lead in leads.items()}
        for pin, _, name in told.values():
            assert (pin, name) == ("any GND", "") or PICO[int(pin) - 1] == name
        names = {name: gpio for name, (_, _, gpio) in told.items()}
        assert names.pop("+5V") == "VBUS"
        assert names.pop("+3V3") == "3V3"
        assert names.pop("GND") == ""
        owners = {signal: owner[int(gpio.removeprefix("GP"))] for signal, gpio in names.items()}
        assert owners == {
            **{signal: f"{signal} of all readers" for signal in ("SCK", "MOSI", "MISO")},
            **{signal: f"{signal} of reader {number}" for signal in ("NSS", "BUSY", "RST")},
        }


def test_the_page_of_the_pico_has_the_same_pins() -> None:
    page = (DOCS / "pico.md").read_text("utf-8")
    rows = re.findall(r"^\| ([\d, …]+) \| ([\d, …]+) \|", page, re.M)
    told = {
        int(gpio): int(pin)
        for gpios, pins in rows
        if "…" not in gpios
        for gpio, pin in zip(gpios.split(", "), pins.split(", "), strict=True)
    }
    assert len(told) > 10
    assert {gpio: PICO[pin - 1] for gpio, pin in told.items()} == {g: f"GP{g}" for g in told}
    assert "| 4 … 7, 9 … 12, 14, 15 | buttons 0 … 9" in page
    buttons = wiring.load(wiring.SHIPPED).buttons
    pins = [PICO.index(f"GP{gpio}") + 1 for gpio in buttons]
    assert pins == [*range(4, 8), *range(9, 13), 14, 15]


def test_the_header_of_the_pi_is_what_it_is() -> None:
    groups = drawn("wiring_pn532")
    for pin, name in enumerate(HEADER, 1):
        assert groups[f"header-{pin}"] == [f"{name} · {pin}" if pin % 2 else f"{pin} · {name}"]


def test_the_buttons_at_the_header_are_those_of_the_example() -> None:
    groups = drawn("wiring_pn532")
    example = re.search(r"^\[\[gpio\]\]\n.+?(?=\n```)", READERS, re.M | re.DOTALL)
    assert example
    own, expander = tomllib.loads(example[0])["gpio"]
    buttons = {name: texts for name, texts in groups.items() if name.startswith("button-")}
    assert buttons == {
        f"button-GPIO{one['pin']}": [f"seat {one['seat']}: {one['press']}"]
        for one in own["buttons"]
    }
    assert f"MCP23017 at {expander['expander']:#x}" in groups["expander"]
    assert f"21 GP{expander['buttons'][0]['pin']}" in groups["expander"]


def test_a_pn532_is_wired_as_the_guide_says() -> None:
    groups = drawn("wiring_pn532")
    table = GUIDE.partition("| PN532 | USB adapter (signals of 3.3 V) |")[2].partition("\n\n")[0]
    told = dict(re.findall(r"^\| ([\w / ]+) \| ([\w. ]+) \|$", table, re.M))
    shown = [groups[f"wire-{number}"] for number in range(4)]
    assert told == {board: adapter for adapter, board in shown}
    crossed = dict(re.findall(r"(SDA|SCL) / (TXD|RXD)", " ".join(told)))
    assert crossed == {"SDA": "TXD", "SCL": "RXD"}, "as the PN532's own pins are (data sheet)"
    assert told["SDA / TXD"] == "RXD"
    assert told["SCL / RXD"] == "TXD"
    assert told["VCC"] == "5 V", "the adapter's 3.3 V pin gives too little"
    said = " ".join(groups["board"])
    assert "RSTPD_N (reset): on its back" in said
    assert "RSTO is an output" in said
    sends, hears = HEADER.index("GPIO14") + 1, HEADER.index("GPIO15") + 1
    assert groups[f"uart-{sends}"] == ["SCL / RXD"]
    assert groups[f"uart-{hears}"] == ["SDA / TXD"]


def test_no_pin_of_a_feig_board_is_made_up() -> None:
    groups = drawn("wiring_feig")
    zones: list[str] = []
    for number in (1, 2):
        heading, *texts = groups[f"feig-{number}"]
        assert heading == f"FEIG reader {number}"
        serial, antennas = texts[:6], texts[9:]
        assert serial[1::2] == ["RxD", "TxD", "GND"]
        assert " ".join(texts[6:9]) == "pins and supply: see the board's manual"
        assert antennas[::2] == [str(antenna) for antenna in range(1, 9)]
        zones += antennas[1::2]
    seats = [f"seat {seat}" for seat in range(1, 11)]
    assert zones == [*seats, "board", "burn", "muck", "stub", "free", "free"]
    assert "2 with 8 antennas each" in GUIDE


@pytest.mark.parametrize("drawing", DRAWINGS, ids=lambda path: path.stem)
def test_drawings_are_black_on_white_of_their_own(drawing: Path) -> None:
    root = ET.parse(drawing).getroot()  # noqa: S314 - our own file
    background = root.find("{*}rect")
    assert background is not None
    assert background.get("fill") == "#fff"
    size = (root.get("width"), root.get("height"))
    assert (background.get("width"), background.get("height")) == size
    assert root.get("viewBox") == f"0 0 {size[0]} {size[1]}"
    assert root.findtext("{*}title")
    assert root.findtext("{*}desc")
    assert "http" not in drawing.read_text("utf-8").replace("http://www.w3.org/2000/svg", "")


def test_every_drawing_is_shown() -> None:
    for page, name in (
        (GUIDE, "table"),
        (GUIDE, "section"),
        (GUIDE, "wiring"),
        (GUIDE, "wiring_pn532"),
        (GUIDE, "wiring_feig"),
        (READERS, "wiring_pn532"),
        (READERS, "wiring_feig"),
    ):
        assert re.search(rf"!\[[^\]]+\]\(drawings/{name}\.svg\)", page), name
    assert len(DRAWINGS) == 6
