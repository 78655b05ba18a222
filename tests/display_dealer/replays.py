"""Screens out of the logs of tests and lessons, as `cutcard dealer --replay` draws them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pygame

from controller.files.settings import config_dir
from display.dealer.drawn import draw
from display.dealer.drawn.canvas import Element
from display.dealer.layout import arrange
from display.dealer.replay.player import Player
from display.dealer.replay.watching import Watched
from display.dealer.screen import Screen
from display.drawing.rect import Rect

HANDS = Path(__file__).parent.parent / "hands"
LOGS = [*sorted(HANDS.glob("*/*.jsonl")), *sorted((config_dir() / "lessons").glob("*.jsonl"))]
SIZES = ((1280, 800), (800, 480))


@cache
def player() -> Player:
    return Player(config_dir())


def screens(log: Path, rulebook: str | None = None) -> Iterator[tuple[Watched, Screen]]:
    """Every picture of a log, and the screen that shows it."""
    for seen in player().watch(str(log), [], rulebook):
        yield seen, player().screen(seen)


def told(screen: Screen, size: tuple[int, int]) -> tuple[Element, ...]:
    """What is drawn, without drawing it: that takes most of the time."""
    surface = pygame.Surface(size)
    surface.set_clip((0, 0, 0, 0))
    return draw.paint(surface, screen, arrange(*size, screen.frame))


def drawn(screen: Screen, size: tuple[int, int]) -> tuple[pygame.Surface, tuple[Element, ...]]:
    surface = pygame.Surface(size)
    return surface, draw.paint(surface, screen, arrange(*size, screen.frame))


def colour(code: str) -> tuple[int, int, int]:
    return int(code[1:3], 16), int(code[3:5], 16), int(code[5:7], 16)


def inside(rect: Rect, size: tuple[int, int]) -> bool:
    return rect.x >= 0 and rect.y >= 0 and rect.right <= size[0] and rect.bottom <= size[1]
