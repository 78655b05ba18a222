"""The boards of the guide, side by side: what is soldered to one fits the one beside it."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from itertools import combinations, pairwise
from math import dist
from pathlib import Path

import pytest

from controller.install.pico.boards import board, labels
from firmware_bridge.pico.sim import wiring
from firmware_bridge.pico.sim.wiring import Border, Wiring

DOCS = Path(__file__).parents[2] / "docs"
GUIDE = (DOCS / "build.md").read_text("utf-8")
ZONES = {
    "A": ("seat 1", "seat 2", "seat 3"),
    "B": ("seat 4", "seat 5", "seat 6"),
    "C": ("seat 7", "seat 8", "seat 9"),
    "D": ("seat 10", "muck", "stub"),
    "E": ("board 1", "board 2", "board 3", "board 4", "board 5", "burn"),
}
"""As docs/build.md, section 5, has them."""
PX_PER_CM = 900 / 240
"""The felt of docs/drawings/table.svg is 900 wide, and says *about 240 cm*."""
CLOSE_CM = 10.0
"""Section 4: antennas whose edges are closer are kept from being on together."""


@pytest.fixture(scope="module")
def wired(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Wiring]:
    """Each board's wiring; the firmware was asked whether it starts with it, so no GPIO is twice
    in one."""
    folder = tmp_path_factory.mktemp("boards")
    found = {}
    for label in labels(None):
        file = folder / f"{label}.py"
        file.write_text(board(label, None).wiring, "utf-8")
        found[label] = wiring.load(file)
    return found


def meetings(wired: dict[str, Wiring]) -> dict[tuple[str, str], tuple[Border, Border]]:
    """The pairs of boards with seats side by side, and their borders there."""
    found = {}
    for one, other in pairwise("ABCD"):
        (here,) = (each for each in wired[one].borders if each.zones == (2,))
        (there,) = (each for each in wired[other].borders if each.zones == (0,))
        found[one, other] = here, there
    return found


def test_the_boards_are_those_of_the_guides(wired: dict[str, Wiring]) -> None:
    assert tuple(wired) == ("A", "B", "C", "D", "E", "one-seat")
    assert {label: len(wired[label].zones) for label in ZONES} == {
        label: len(zones) for label, zones in ZONES.items()
    }
    for label, zones in ZONES.items():
        seats = [zone for zone in zones if zone.startswith("seat")]
        assert len(wired[label].buttons) == 3 * len(seats), label
    assert sum(wired[label].lamps[1] for label in ZONES) == 10


def test_each_border_has_its_counterpart(wired: dict[str, Wiring]) -> None:
    pairs = meetings(wired)
    assert all(here.first != there.first for here, there in pairs.values())
    for label, zones in ZONES.items():
        assert len(wired[label].borders) == sum(label in pair for pair in pairs), zones


def test_the_guide_says_which_pins_are_wired_to_which(wired: dict[str, Wiring]) -> None:
    told = re.findall(r"^\| ([A-D]), GPIO (\d+) \| ([A-D]), GPIO (\d+) \|", GUIDE, re.M)
    assert {(one, int(a), other, int(b)) for one, a, other, b in told} == {
        wire
        for (one, other), (here, there) in meetings(wired).items()
        for wire in ((one, here.ours, other, there.theirs), (other, there.ours, one, here.theirs))
    }


def antennas() -> dict[str, tuple[float, float, float]]:
    """Where each antenna of the drawing is, and how far it reaches, in cm."""
    root = ET.parse(DOCS / "drawings" / "table.svg").getroot()  # noqa: S314 - our own file
    found: dict[str, tuple[float, float, float]] = {}
    at = (0.0, 0.0)
    for each in root.iter():
        if each.tag.endswith("}circle") and "stroke-dasharray" in each.attrib:
            at = float(each.attrib["cx"]), float(each.attrib["cy"])
            radius = float(each.attrib["r"])
        elif each.tag.endswith("}text") and each.get("font-weight") == "bold" and at != (0, 0):
            name = "".join(each.itertext())
            if name.isdecimal():
                name = f"{'board' if radius < 14 else 'seat'} {name}"
            found[name] = at[0] / PX_PER_CM, at[1] / PX_PER_CM, radius / PX_PER_CM
            at = (0.0, 0.0)
    return found


def gap_cm(one: tuple[float, float, float], other: tuple[float, float, float]) -> float:
    return dist(one[:2], other[:2]) - one[2] - other[2]


def test_antennas_that_are_close_are_never_on_together(wired: dict[str, Wiring]) -> None:
    """By the drawing: close ones are neighbours on one Pico. Of two Picos none are closer than the
    page allows, and those of seats side by side have a border all the same."""
    places = antennas()
    whose = {zone: (label, at) for label, row in ZONES.items() for at, zone in enumerate(row)}
    assert places.keys() == whose.keys()
    for one, other in combinations(whose, 2):
        (label, a), (label_2, b) = whose[one], whose[other]
        close = gap_cm(places[one], places[other]) < CLOSE_CM
        if label == label_2:
            assert not close or {(a, b), (b, a)} & set(wired[label].neighbours), (one, other)
        else:
            assert not close, (one, other)


def test_piles_and_seat_of_pico_d_are_neighbours_as_they_lie(wired: dict[str, Wiring]) -> None:
    places = antennas()
    gaps = {
        (a, b): gap_cm(places[ZONES["D"][a]], places[ZONES["D"][b]])
        for a, b in combinations(range(3), 2)
    }
    farthest = max(gaps, key=lambda pair: gaps[pair])
    assert set(wired["D"].neighbours) == gaps.keys() - {farthest}
