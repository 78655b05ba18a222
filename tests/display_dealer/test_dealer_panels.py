"""On panels of many sizes a hand finds every target and an eye every text, in every language."""

from __future__ import annotations

from collections.abc import Callable
from math import hypot
from typing import get_args

import pytest
from msgspec.structs import replace

from controller.contract.view import TableView
from controller.files.settings import config_dir
from controller.library.languages import languages
from display.dealer.arriving import arrived
from display.dealer.connection import Connection
from display.dealer.drawn import draw
from display.dealer.geometry import CAPITAL, LARGE, SMALL, Drawn, metrics, workable
from display.dealer.layout import arrange
from display.dealer.looking import Asking, Looking
from display.dealer.model import build
from display.dealer.screen import Role
from tests.display_dealer.paper import NAMES, Paper
from tests.display_dealer.spoken import spoken
from tests.display_dealer.test_dealer_layout import check

ReadView = Callable[[str], TableView]
PANELS = [
    (800, 480, 7.0),
    (1024, 600, 10.1),
    (1280, 800, 10.1),
    (1280, 720, 9.8),
    (1366, 768, 11.6),
    (1920, 1200, 10.1),
    (1920, 1080, 15.6),
]
BAR = {"new-hand", "round-closed", "tabled", "award", "misdeal", "more", "call-floor"}
MAIN = {*BAR, "done", "yes", "no", "misdeal-yes", "misdeal-no"} - {"more"}
IN_PLAY = ("prompt", "step", "title", "button", "strong")
MAIN_MM, LEAST_MM, CAPITAL_MM, LETTERS_MM = 20.0, 10.0, 5.1, 1.9


def density(width: int, height: int, inches: float) -> float:
    return hypot(width, height) / (25.4 * inches)


def said(panel: object) -> str | None:
    return f"{panel[0]}x{panel[1]}-{panel[2]}in" if isinstance(panel, tuple) else None


on_each = pytest.mark.parametrize("panel", PANELS, ids=said)


@pytest.mark.parametrize(
    ("panel", "cause"),
    [*((panel, "") for panel in PANELS), (PANELS[0], "closed"), (PANELS[2], "closed")],
    ids=said,
)
def test_targets_and_texts_fit_every_panel(
    view_name: str,
    panel: tuple[int, int, float],
    cause: str,
    *,
    read_view: ReadView,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each view in one language, and each panel in all of them."""
    width, height, _ = panel
    px = density(*panel)
    names = languages(config_dir())
    language = names[(PANELS.index(panel) + sum(map(ord, view_name))) % len(names)]
    paper = Paper(spoken(language), (width, height), px)
    paper.under(monkeypatch)
    view = read_view(view_name)
    for asking in get_args(Asking):
        looking = replace(arrived(Looking(), None, view, 0.0), asking=asking, seat=10, act="all-in")
        screen = build(
            view, looking, Connection(cause, 3725), paper.texts, now=3725.0, languages=NAMES
        )
        paper.show(screen)
        regions = arrange(width, height, screen.frame, px)
        check(screen, width, height, px)
        for button in screen.buttons:
            least = min(regions[button.id].w, regions[button.id].h)
            is_main = button.id in MAIN or button.id.startswith("reason:")
            assert least >= (MAIN_MM if is_main else LEAST_MM) * px, (button.id, regions[button.id])
    assert paper.written
    assert paper.faults == []


@on_each
def test_letters_are_as_high_as_an_eye_needs(panel: tuple[int, int, float]) -> None:
    width, height, _ = panel
    px = density(*panel)
    m = metrics(width, height, px)
    for role in get_args(Role):
        largest, floor = draw.sizes(role, m)
        wanted = CAPITAL_MM if role in IN_PLAY else LETTERS_MM
        assert floor * CAPITAL >= wanted * px, role
        assert largest >= floor


@pytest.mark.parametrize("drawn", [LARGE, SMALL])
def test_the_two_panels_that_it_was_drawn_for_are_as_drawn(drawn: Drawn) -> None:
    assert metrics(drawn.width, drawn.height) == drawn.sizes
    assert metrics(drawn.width, drawn.height, drawn.density) == drawn.sizes


def test_all_grows_on_a_large_panel_and_shrinks_on_one_too_small() -> None:
    assert workable(2560, 1600, LARGE.density) == pytest.approx(2 * LARGE.density)
    assert metrics(2560, 1600, LARGE.density).main == 2 * LARGE.sizes.main
    assert workable(800, 480, 2 * SMALL.density) == pytest.approx(SMALL.density)
    assert metrics(800, 480, 2 * SMALL.density) == SMALL.sizes
