"""Colours of the dealer's screen, and the arithmetic that says they can be told apart."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

Colour = tuple[int, int, int]


def _hex(code: str) -> Colour:
    return (int(code[1:3], 16), int(code[3:5], 16), int(code[5:7], 16))


class Style(Struct, frozen=True):
    """A text on a fill inside a border; `on` is the fill around it.

    Text has 7:1 on its fill, the border 3:1 on `on`.
    """

    text: Colour
    fill: Colour
    border: Colour
    on: Colour


GROUND = _hex("#0E1319")
FELT = _hex("#0F3A2E")
SLATE = _hex("#1C2530")
WHITE = _hex("#FFFFFF")
BLACK = _hex("#000000")
INK = _hex("#10151B")
PALE = _hex("#B9C4CF")
RIM = _hex("#7F8FA0")
RED = _hex("#96131A")
ROSE = _hex("#F2707A")
AMBER = _hex("#FFC233")
GREEN = _hex("#5FD08A")
BLUE = _hex("#16406E")
PLUM = _hex("#56247A")
SKY = _hex("#7DB8F5")
PINK = _hex("#FF7AD1")

StyleName = Literal[
    "ground",
    "quiet",
    "bar",
    "felt",
    "banner",
    "panel",
    "panel-quiet",
    "advisory",
    "plate",
    "plate-turn",
    "plate-pick",
    "plate-folded",
    "plate-all-in",
    "plate-absent",
    "button",
    "caution",
    "button-off",
    "button-pressed",
    "main",
    "danger",
    "priority-1",
    "priority-2",
    "priority-3",
    "lost",
    "warning",
    "training",
    "floor",
    "floor-called",
    "floor-heard",
    "floor-coming",
    "card",
    "place",
    "puck",
    "puck-coming",
    "blind",
    "clock",
    "notice",
    "paused",
]

STYLES: Mapping[StyleName, Style] = {
    "ground": Style(WHITE, GROUND, RIM, GROUND),
    "quiet": Style(PALE, GROUND, RIM, GROUND),
    "bar": Style(WHITE, GROUND, RIM, GROUND),
    "felt": Style(WHITE, FELT, _hex("#5E9C86"), GROUND),
    "banner": Style(WHITE, SLATE, RIM, GROUND),
    "panel": Style(WHITE, SLATE, RIM, GROUND),
    "panel-quiet": Style(PALE, SLATE, RIM, SLATE),
    "advisory": Style(WHITE, BLUE, SKY, SLATE),
    "plate": Style(WHITE, SLATE, _hex("#9FB0C1"), FELT),
    "plate-turn": Style(BLACK, AMBER, WHITE, FELT),
    "plate-pick": Style(BLACK, GREEN, WHITE, FELT),
    "plate-folded": Style(PALE, GROUND, _hex("#7F9A90"), FELT),
    "plate-all-in": Style(WHITE, PLUM, WHITE, FELT),
    "plate-absent": Style(PALE, GROUND, _hex("#7F9A90"), FELT),
    "button": Style(WHITE, _hex("#2D3A48"), _hex("#A9B8C7"), GROUND),
    "caution": Style(WHITE, _hex("#2D3A48"), ROSE, GROUND),
    "button-off": Style(_hex("#A3AFBB"), GROUND, _hex("#5F6C7A"), GROUND),
    "button-pressed": Style(BLACK, WHITE, WHITE, GROUND),
    "main": Style(BLACK, GREEN, WHITE, SLATE),
    "danger": Style(WHITE, RED, ROSE, GROUND),
    "priority-1": Style(WHITE, RED, ROSE, SLATE),
    "priority-2": Style(BLACK, AMBER, WHITE, SLATE),
    "priority-3": Style(WHITE, BLUE, SKY, SLATE),
    "lost": Style(WHITE, RED, WHITE, GROUND),
    "warning": Style(BLACK, AMBER, WHITE, GROUND),
    "training": Style(BLACK, PINK, WHITE, GROUND),
    "floor": Style(WHITE, BLUE, SKY, GROUND),
    "floor-called": Style(BLACK, AMBER, WHITE, GROUND),
    "floor-heard": Style(BLACK, SKY, WHITE, GROUND),
    "floor-coming": Style(BLACK, GREEN, WHITE, GROUND),
    "card": Style(INK, WHITE, PALE, FELT),
    "place": Style(_hex("#CFE3DA"), FELT, _hex("#7FB8A4"), FELT),
    "puck": Style(BLACK, WHITE, BLACK, AMBER),
    "puck-coming": Style(WHITE, GROUND, WHITE, SLATE),
    "blind": Style(WHITE, BLUE, WHITE, SLATE),
    "clock": Style(WHITE, BLUE, SKY, GROUND),
    "notice": Style(WHITE, BLUE, SKY, GROUND),
    "paused": Style(AMBER, GROUND, AMBER, GROUND),
}

# Each can be told from each other by eyes that lack a kind of cones, by CIEDE2000 of 20 or more.
FOUR_COLOURS: Mapping[str, Colour] = {
    "s": _hex("#000000"),
    "h": _hex("#831F01"),
    "d": _hex("#140CBB"),
    "c": _hex("#34816D"),
}
TWO_COLOURS: Mapping[str, Colour] = {
    "s": _hex("#000000"),
    "h": _hex("#B3141C"),
    "d": _hex("#B3141C"),
    "c": _hex("#000000"),
}
SUITS: Mapping[str, Mapping[str, Colour]] = {"four": FOUR_COLOURS, "two": TWO_COLOURS}
SUIT_SIGNS: Mapping[str, str] = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}
HATCH = _hex("#87939F")
FAINT_HATCH = SLATE


def contrast(one: Colour, other: Colour) -> float:
    """Return the contrast of two colours, 1 to 21 (WCAG 2.2, *contrast ratio*)."""
    lighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: Colour) -> float:
    linear = [
        part / 255 / 12.92 if part / 255 <= 0.04045 else ((part / 255 + 0.055) / 1.055) ** 2.4
        for part in colour
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
