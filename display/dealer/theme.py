"""Colours of the dealer's screen, and the arithmetic that says they can be told apart."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from display.drawing.colour import Colour, from_hex


class Style(Struct, frozen=True):
    """A text on a fill inside a border; `on` is the fill around it.

    Text has 7:1 on its fill, the border 3:1 on `on`.
    """

    text: Colour
    fill: Colour
    border: Colour
    on: Colour


GROUND = from_hex("#0E1319")
FELT = from_hex("#0F3A2E")
SLATE = from_hex("#1C2530")
WHITE = from_hex("#FFFFFF")
BLACK = from_hex("#000000")
INK = from_hex("#10151B")
PALE = from_hex("#B9C4CF")
RIM = from_hex("#7F8FA0")
RED = from_hex("#96131A")
ROSE = from_hex("#F2707A")
AMBER = from_hex("#FFC233")
GREEN = from_hex("#5FD08A")
BLUE = from_hex("#16406E")
PLUM = from_hex("#56247A")
SKY = from_hex("#7DB8F5")
PINK = from_hex("#FF7AD1")

StyleName = Literal[
    "ground",
    "quiet",
    "bar",
    "felt",
    "banner",
    "panel",
    "plate",
    "plate-turn",
    "plate-pick",
    "plate-folded",
    "plate-all-in",
    "plate-absent",
    "plate-quiet",
    "button",
    "caution",
    "answer",
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
    "back",
    "odd",
    "place",
    "puck",
    "puck-coming",
    "blind",
    "clock",
    "notice",
    "paused",
    "step-done",
    "step-now",
    "step-due",
]

STYLES: Mapping[StyleName, Style] = {
    "ground": Style(WHITE, GROUND, RIM, GROUND),
    "quiet": Style(PALE, GROUND, RIM, GROUND),
    "bar": Style(WHITE, GROUND, RIM, GROUND),
    "felt": Style(WHITE, FELT, from_hex("#5E9C86"), GROUND),
    "banner": Style(WHITE, SLATE, RIM, GROUND),
    "panel": Style(WHITE, SLATE, RIM, GROUND),
    "plate": Style(WHITE, SLATE, from_hex("#9FB0C1"), FELT),
    "plate-turn": Style(BLACK, AMBER, WHITE, FELT),
    "plate-pick": Style(BLACK, GREEN, WHITE, FELT),
    "plate-folded": Style(PALE, GROUND, from_hex("#7F9A90"), FELT),
    "plate-all-in": Style(WHITE, PLUM, WHITE, FELT),
    "plate-absent": Style(PALE, GROUND, from_hex("#7F9A90"), FELT),
    "plate-quiet": Style(PALE, SLATE, from_hex("#9FB0C1"), FELT),
    "button": Style(WHITE, from_hex("#2D3A48"), from_hex("#A9B8C7"), GROUND),
    "caution": Style(WHITE, from_hex("#2D3A48"), ROSE, GROUND),
    "answer": Style(WHITE, from_hex("#2D3A48"), from_hex("#A9B8C7"), SLATE),
    "button-off": Style(from_hex("#A3AFBB"), GROUND, from_hex("#5F6C7A"), GROUND),
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
    "back": Style(WHITE, from_hex("#274463"), WHITE, FELT),
    "odd": Style(WHITE, RED, from_hex("#FF8A93"), FELT),
    "place": Style(from_hex("#CFE3DA"), FELT, from_hex("#7FB8A4"), FELT),
    "puck": Style(BLACK, WHITE, BLACK, AMBER),
    "puck-coming": Style(WHITE, GROUND, WHITE, SLATE),
    "blind": Style(WHITE, BLUE, WHITE, SLATE),
    "clock": Style(WHITE, BLUE, SKY, GROUND),
    "notice": Style(WHITE, BLUE, SKY, GROUND),
    "paused": Style(AMBER, GROUND, AMBER, GROUND),
    "step-done": Style(BLACK, GREEN, WHITE, SLATE),
    "step-now": Style(BLACK, AMBER, WHITE, SLATE),
    "step-due": Style(WHITE, SLATE, RIM, SLATE),
}

# Each has 7:1 on white, and can be told from each other by eyes that lack a kind of cones, by
# CIEDE2000 of 20 or more.
FOUR_COLOURS: Mapping[str, Colour] = {
    "s": from_hex("#000000"),
    "h": from_hex("#840D00"),
    "d": from_hex("#4500FF"),
    "c": from_hex("#006456"),
}
TWO_COLOURS: Mapping[str, Colour] = {
    "s": from_hex("#000000"),
    "h": from_hex("#A8121A"),
    "d": from_hex("#A8121A"),
    "c": from_hex("#000000"),
}
SUITS: Mapping[str, Mapping[str, Colour]] = {"four": FOUR_COLOURS, "two": TWO_COLOURS}
SUIT_SIGNS: Mapping[str, str] = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}
HATCH = from_hex("#87939F")
FAINT_HATCH = SLATE
