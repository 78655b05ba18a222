"""The wall's window: messages in, pictures and sounds out. Paints only what has changed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pygame
from msgspec.structs import replace

from controller.broker.client import Incoming
from display.drawing.rect import Rect
from display.wall import layout
from display.wall.cues import Cue, Cues
from display.wall.drawn import draw, fonts
from display.wall.drawn.sheet import Sheet, Turn
from display.wall.heard import RoomAsHeard, took, topics
from display.wall.model import Picture, picture
from display.wall.placed import Arrangement
from display.wall.sizes import AT_M, Sizes, sizes
from display.wall.theme import Theme
from display.wall.words import Words

LONGEST_S = 0.25
"""How long the window leaves the display's events alone."""


class Look:
    """How the wall looks: `words`, `theme`, `diagonal_in` of the screen in inches, `metres` to
    the eyes, the club's `logo`."""

    def __init__(
        self,
        words: Words,
        theme: Theme,
        *,
        diagonal_in: float,
        metres: float = AT_M,
        logo: pygame.Surface | None = None,
    ) -> None:
        self.words = words
        self.theme = theme
        self._diagonal_in = diagonal_in
        self._metres = metres
        self._logo = logo
        self._scaled: tuple[Rect, pygame.Surface] | None = None

    def sizes(self, size: tuple[int, int]) -> Sizes:
        """The sizes of letters on so many pixels."""
        return sizes(*size, self._diagonal_in, self._metres)

    def place(self, shown: Picture, size: tuple[int, int], t: float) -> Arrangement:
        """Where everything stands on so many pixels."""
        logo = self._logo.get_size() if self._logo is not None else None
        return layout.arrange(shown, *size, self.sizes(size), fonts.measure, logo=logo, t=t)

    def paint(
        self,
        surface: pygame.Surface,
        shown: Picture,
        placed: Arrangement,
        only: Rect | None = None,
    ) -> None:
        """Paint it, or what lies within `only`."""
        mood = draw.mood_of(shown, self.theme)
        logo = self._fitting(placed.logo)
        draw.paint(surface, placed, mood, self.theme, logo=logo, only=only)

    def _fitting(self, place: Rect) -> pygame.Surface | None:
        if self._logo is None or not place.w:
            return None
        if self._scaled is None or self._scaled[0] != place:
            size = (place.w, place.h)
            self._scaled = (place, pygame.transform.smoothscale(self._logo, size))
        return self._scaled[1]


class Window:
    """The wall on the open display. `clock` is seconds that never go back and count while the
    machine sleeps; `local_time` the time of day in words; `sound` plays a cue; `note` is
    what is wrong here; the picture is turned clockwise by `turn` degrees."""

    def __init__(
        self,
        look: Look,
        site: str,
        *,
        clock: Callable[[], float],
        local_time: Callable[[], str],
        sound: Callable[[Cue], None] = lambda _cue: None,
        note: str = "",
        turn: Turn = 0,
        event: str = "",
    ) -> None:
        self._look = look
        self._sheet = Sheet(turn)
        self._site = site
        self._clock = clock
        self._local_time = local_time
        self._sound = sound
        self._note = note
        self._heard = RoomAsHeard(clock())
        self._cues = Cues()
        self._painted: Arrangement | None = None
        self._moved = asyncio.Event()
        self.shown = Picture("waiting")
        self._event = event
        self.filters = tuple(topics(site, event))
        self.frames = 0
        self.is_open = True

    def received(self, incoming: Incoming) -> None:
        """Take in what the room says."""
        self._heard = took(self._heard, incoming, self._site, self._clock(), self._event)
        self._moved.set()

    def link(self, up: bool) -> None:
        """The broker is there, or it is not."""
        self._heard = replace(self._heard, linked=up)
        self._moved.set()

    def stop(self) -> None:
        """End `run` at once."""
        self.is_open = False
        self._moved.set()

    async def run(self) -> None:
        """Show the wall until it is closed or `stop` is called."""
        while self.is_open:
            self._moved.clear()
            wait_s = self.step()
            try:
                async with asyncio.timeout(wait_s):
                    await self._moved.wait()
            except TimeoutError:
                pass

    def step(self) -> float:
        """Show what is to be seen now; return for how many seconds that is all."""
        for event in pygame.event.get():
            if event.type == pygame.QUIT:
                self.is_open = False
            elif event.type in (pygame.WINDOWEXPOSED, pygame.WINDOWSIZECHANGED):
                self._painted = None
        t = self._clock()
        cue = self._cues.look(self._heard, t)
        if cue is not None:
            self._sound(cue)
        self._show(t)
        left_ms = self._heard.left_ms(t)
        if left_ms is None or self._heard.clock is None or self._heard.clock.deadline_ms is None:
            return LONGEST_S
        return min(LONGEST_S, (left_ms % 1000) / 1000 + 0.002)

    def _show(self, t: float) -> None:
        shown = picture(
            self._heard, t, self._look.words, local_time=self._local_time(), note=self._note
        )
        turns = shown.notices or shown.alerts
        if shown == self.shown and self._painted is not None and not turns:
            return
        surface = self._sheet.surface()
        placed = self._look.place(shown, surface.get_size(), t)
        parts = None
        if self._painted is not None and _alike(self.shown, shown):
            parts = draw.changed(self._painted, placed)
        self.shown, self._painted = shown, placed
        if parts is None:
            self._look.paint(surface, shown, placed)
            self._sheet.show()
            self.frames += 1
        elif parts:
            for part in parts:
                self._look.paint(surface, shown, placed, part)
            self._sheet.show(parts)
            self.frames += 1


def _alike(one: Picture, other: Picture) -> bool:
    """Whether the ground is the same."""
    return (one.mood, one.on_break) == (other.mood, other.on_break)
