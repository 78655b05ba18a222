"""Time goes on by itself on the screen: once a second, and only what it changes is drawn."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pygame
import pytest
from msgspec.structs import replace

from controller.contract.view import LevelView, TableView
from display.dealer.changes import Picture, changes
from display.dealer.drawn import draw
from tests.display_dealer.bench import Bench

ReadView = Callable[[str], TableView]


def tell(bench: Bench, view: TableView, t: float, rate: float = 1.0) -> None:
    line = {"kind": "view", "t": t, "rate": rate, "view": view}
    bench.table.write(msgspec.json.encode(line) + b"\n")
    bench.step()


def turn(bench: Bench) -> str:
    return next(one.time for one in bench.window.screen.plates if one.turn)


@pytest.fixture
def view(read_view: ReadView) -> TableView:
    level = LevelView(3, ends=1000.3)
    return replace(read_view("flop_betting"), turn_since=90.2, level=level, dealer="Ann")


def test_a_second_passes_in_one_picture_and_the_next_message_changes_nothing(
    bench: Bench, view: TableView
) -> None:
    tell(bench, view, 100.1)
    assert turn(bench) == "0:10"
    frames = bench.window.frames
    for passed in range(100):
        bench.step(0.04)
        if passed % 30 == 0:
            tell(bench, view, 100.1 + (passed + 1) * 0.04)
    assert turn(bench) == "0:14"
    assert bench.text("level") == "Level 3 · 14:56"
    assert bench.window.frames == frames + 4


def test_a_fast_table_is_drawn_once_a_second_all_the_same(bench: Bench, view: TableView) -> None:
    tell(bench, view, 100.1, rate=20.0)
    frames = bench.window.frames
    for _ in range(100):
        bench.step(0.04)
    assert "1:10" <= turn(bench) <= "1:30"
    assert frames + 3 <= bench.window.frames <= frames + 5


def test_what_has_changed_is_drawn_as_if_all_had_been(
    bench: Bench, view: TableView, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole_pictures = [0]
    paint = draw.paint

    def counted(*arguments: object, **more: object) -> object:
        whole_pictures[0] += 1
        return paint(*arguments, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(draw, "paint", counted)
    tell(bench, view, 100.1)
    for changed in (view, replace(view, pot=9999), replace(view, prompt="Next", to_act=5)):
        tell(bench, changed, 101.5)
        bench.step(1.0)
        screen, regions = bench.window.screen, bench.window.regions
        whole = pygame.Surface(bench.surface.get_size())
        paint(whole, screen, regions)
        drawn = pygame.image.tobytes(bench.surface, "RGB")
        assert drawn == pygame.image.tobytes(whole, "RGB")
    assert whole_pictures == [1]
    assert bench.window.frames > 4


def test_another_arrangement_is_drawn_anew(bench: Bench, view: TableView) -> None:
    tell(bench, view, 100.1)
    before = Picture(bench.window.screen, bench.window.regions)
    bench.tap("more")
    assert changes(before, Picture(bench.window.screen, bench.window.regions)) is None
