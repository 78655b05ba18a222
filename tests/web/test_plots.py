"""Plots say in digits what they draw, and draw it as long as it is."""

from __future__ import annotations

import itertools
import re
from xml.etree import ElementTree as Xml

import pytest

from display.web.plots import Bar, Point, bars, line, scale

ROWS = (
    Bar("T1", 10.0, "10.0", of="2 / 200"),
    Bar("T2", None, "hands: only 12"),
    Bar("T3 <b>", 40.0, "40.0 s", upper=60.0),
    Bar("T4", 0.0, "0.0"),
)


def drawn(svg: str) -> Xml.Element:
    return Xml.fromstring(svg)  # noqa: S314 - our own


def texts(root: Xml.Element, kind: str) -> list[str]:
    return ["".join(each.itertext()) for each in root.iter("text") if each.get("class") == kind]


@pytest.mark.parametrize("width", [336, 960])
def test_each_bar_is_as_long_as_its_value_and_says_it(width: int) -> None:
    root = drawn(bars("By table", "per 1,000 hands", ROWS, width))
    assert root.get("aria-label") == "By table"
    assert texts(root, "axis") == ["per 1,000 hands"]
    assert texts(root, "tick")[0] == "0"
    assert [float(each) for each in texts(root, "tick")][-1] >= 60
    groups = [each for each in root.iter("g") if each.get("class") == "row"]
    assert [each.get("data-name") for each in groups] == ["T1", "T2", "T3 <b>", "T4"]
    assert [each.get("data-value") for each in groups] == ["10", None, "40", "0"]
    rects = [each.find("rect") for each in groups]
    long = [None if each is None else float(each.get("width", "")) for each in rects]
    assert long[1] is None
    assert long[2] == pytest.approx(4 * (long[0] or 0), abs=0.3)
    assert long[3] == 0
    assert texts(root, "value") == ["10.02 / 200", "40.0 s", "0.0"]
    assert texts(root, "few") == ["hands: only 12"]
    assert texts(root, "name") == ["T1", "T2", "T3 <b>", "T4"]


@pytest.mark.parametrize("width", [336, 960])
def test_everything_lies_within_the_plot(width: int) -> None:
    long = (*ROWS, Bar("Card from another deck in the stub", 1_234.5, "1,234.5", of="123 / 99,999"))
    for svg in (
        bars("x", "y", long, width),
        line(
            "x", "time", "y", [Point(f"11-{n}", float(n % 7), f"{n % 7}") for n in range(48)], width
        ),
    ):
        root = drawn(svg)
        high = float(root.get("height", ""))
        for each in root.iter():
            x = float(each.get("x") or each.get("x1") or each.get("cx") or 0)
            y = float(each.get("y") or each.get("y1") or each.get("cy") or 0)
            assert -1 <= x <= width
            assert -1 <= y <= high
            assert "style" not in each.attrib


def test_a_line_is_thin_where_nothing_is_known() -> None:
    values = [1.0, 2.0, None, 4.0, 3.0]
    points = [Point(f"{n}:00", v, "" if v is None else f"{v:.1f}") for n, v in enumerate(values)]
    root = drawn(line("Pace", "time", "hands per hour", points, 960))
    assert texts(root, "axis") == ["hands per hour", "time"]
    marks = [each for each in root.iter("g") if each.get("class") == "point"]
    assert [each.get("data-value") for each in marks] == ["1", "2", "4", "3"]
    kinds = [e.get("class") for e in root.iter("line") if e.get("class") in ("run", "gap")]
    assert kinds == ["run", "gap", "run"]
    heights = [float(c.get("cy", "")) for c in root.iter("circle")]
    assert heights[0] - heights[1] == pytest.approx(heights[3] - heights[2], abs=0.2)
    assert texts(root, "value") == ["1.0", "2.0", "4.0", "3.0"]


def test_names_on_the_axis_do_not_run_into_one_another() -> None:
    points = [Point(f"11-{1 + n // 4:02}", 3.0, "3.0") for n in range(48)]
    svg = line("x", "time", "y", points, 336)
    found = re.findall(
        r'class="tick" x="([\d.]+)" y="[\d.]+"(?: text-anchor="(?:middle)")?>11-', svg
    )
    places = [float(x) for x in found]
    assert len(places) >= 3
    assert all(b - a >= 70 for a, b in itertools.pairwise(places))


@pytest.mark.parametrize(
    ("most", "ticks"),
    [
        (0, (0.0, 1.0)),
        (10, (0.0, 2.0, 4.0, 6.0, 8.0, 10.0)),
        (0.7, (0.0, 0.2, 0.4, 0.6, 0.8)),
        (61, (0.0, 20.0, 40.0, 60.0, 80.0)),
        (123_456, (0.0, 25_000.0, 50_000.0, 75_000.0, 100_000.0, 125_000.0)),
    ],
)
def test_a_scale_has_round_numbers(most: float, ticks: tuple[float, ...]) -> None:
    assert scale(most, 5) == ticks
