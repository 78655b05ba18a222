"""A surface for tests that notes every text that does not fit where it is written."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache

import pygame
import pytest

from controller.contract.view import TableView
from controller.files.settings import config_dir
from display.dealer.arriving import arrived
from display.dealer.connection import Connection
from display.dealer.drawn import draw, shapes
from display.dealer.drawn.shapes import fitted, font
from display.dealer.layout import arrange
from display.dealer.looking import Looking
from display.dealer.model import build
from display.dealer.screen import Screen
from display.dealer.texts import Texts, available
from display.drawing import boxes
from display.drawing.rect import Rect

NAMES = available(config_dir())


@cache
def _surface(size: tuple[int, int]) -> pygame.Surface:
    """On which nothing is drawn: that would take most of the time."""
    surface = pygame.Surface(size)
    surface.set_clip((0, 0, 0, 0))
    return surface


@cache
def _faults(
    words: str, room: tuple[int, int], sizes: tuple[int, int], *, bold: bool, one_line: bool
) -> tuple[int, tuple[str, ...]]:
    """The size of a text, and what is wrong with it where it is written."""
    text = fitted(words, room, sizes, bold=bold, one_line=one_line)
    widest = max(font(text.size, bold=bold).size(line)[0] for line in text.lines)
    wrong = {
        "cut off": text.height > room[1] or widest > room[0],
        "broken": " ".join(text.lines).split() != words.split(),
        "too small": text.size < sizes[1],
    }
    return text.size, tuple(name for name, is_so in wrong.items() if is_so)


@dataclass
class Paper:
    """Stands for the surface: notes what does not fit."""

    texts: Texts
    size: tuple[int, int]
    density: float | None = None
    faults: list[object] = field(default_factory=list)
    written: list[str] = field(default_factory=list)

    def under(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """All that is drawn from now on is drawn on this."""
        monkeypatch.setattr(shapes, "write", self.write)
        for module, shape in ((boxes, "box"), (boxes, "disc"), (shapes, "badge")):
            monkeypatch.setattr(module, shape, lambda *_args, **_kwargs: None)

    def write(
        self,
        _surface: object,
        rect: Rect,
        words: str,
        _colour: object,
        sizes: tuple[int, int],
        *,
        bold: bool = True,
        centred: bool = True,
        one_line: bool = False,
    ) -> None:
        if not words:
            return
        self.written.append(words)
        size, faults = _faults(words, (rect.w, rect.h), sizes, bold=bold, one_line=one_line)
        self.faults += [(what, words, rect, size, sizes, centred) for what in faults]

    def show(self, screen: Screen) -> None:
        regions = arrange(*self.size, screen.frame, self.density)
        draw.paint(_surface(self.size), screen, regions, density=self.density)

    def look(self, view: TableView | None, looking: Looking | None = None, cause: str = "") -> None:
        seen = Looking() if view is None else arrived(Looking(), None, view, 0.0)
        connection = Connection(cause, 3725, 12345 if looking is not None else 0)
        shown = build(
            view,
            looking or seen,
            connection,
            self.texts,
            now=3725.0,
            table_time=900.0,
            languages=NAMES,
        )
        self.show(shown)
