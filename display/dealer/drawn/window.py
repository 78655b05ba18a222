"""The window: taps and views in, pictures and lines out. Draws only when something changed."""

from __future__ import annotations

import signal
from collections.abc import Callable, Mapping
from pathlib import Path
from types import FrameType
from typing import Protocol

import pygame
from msgspec.structs import replace

from controller.contract.view import TableView
from display.dealer import alarms, model
from display.dealer.arriving import arrived, lost, passed
from display.dealer.changes import Picture, changes
from display.dealer.connection import Connection
from display.dealer.drawn import draw
from display.dealer.drawn.sounds import Speaker
from display.dealer.layout import Frame, arrange
from display.dealer.looking import Line, Looking
from display.dealer.screen import Screen
from display.dealer.taps import lines, tapped
from display.dealer.texts import Texts, available, load
from display.dealer.theme import FOUR_COLOURS
from display.drawing.colour import Colour
from display.drawing.rect import Rect

BOUNCE = 0.35  # seconds in which a second tap on the same button is the same tap
KEY_BOUNCE = 0.12  # the same for a key of the screen's own keyboard
FLASH = 0.15  # seconds for which a button shows that it was tapped
LEAST_SECOND = 0.9  # a table's time that runs faster is shown once a second all the same
INPUT_CYCLE = 0.04  # seconds between looks at the input devices

ECHO = 0.5  # seconds in which a finger and a mouse that both tap are one finger, told twice

_MOUSE = -1 & 0xFFFFFFFF  # SDL_TOUCH_MOUSEID: a finger that is a mouse
_SHOWN_ANEW = frozenset(
    (
        pygame.WINDOWEXPOSED,
        pygame.WINDOWSHOWN,
        pygame.WINDOWRESTORED,
        pygame.WINDOWSIZECHANGED,
        pygame.WINDOWDISPLAYCHANGED,
    )
)


class Feed(Protocol):
    """Where the pictures come from and the entries go; see `Link`, which is the real table's."""

    def connection(self, now: float) -> Connection:
        """Return the state of the link."""

    def poll(self, now: float) -> TableView | None:
        """Return the newest view, if any."""

    def send(self, line: Line, now: float) -> bool:
        """Send one line; False if there is no connection that takes it."""

    def retry(self, now: float) -> None:
        """Connect again at once."""

    def table_time(self, now: float) -> float:
        """Return the table's time in seconds."""

    def wait(self, timeout: float) -> None:
        """Block until there may be something new, or for `timeout` seconds."""


class Cover(Protocol):
    """What lies over the dealer's screen, where it is not a real table's."""

    @property
    def shown(self) -> object:
        """Differs when something else is to be seen."""

    def over(self, screen: Screen) -> Screen:
        """Return what is to be seen in place of the dealer's screen."""

    def takes(self, button: str, now: float) -> bool:
        """Take a tap; False if it is meant for the dealer's screen below."""


class Window:
    """The dealer's screen on `surface`. `clock` is monotonic seconds, `density` pixels per mm;
    without a `speaker` nothing is heard. `on_language` is told which one was chosen."""

    def __init__(
        self,
        surface: pygame.Surface,
        link: Feed,
        texts: Texts,
        root: Path,
        clock: Callable[[], float],
        *,
        cover: Cover | None = None,
        density: float | None = None,
        suits: Mapping[str, Colour] = FOUR_COLOURS,
        speaker: Speaker | None = None,
        on_language: Callable[[str], None] = lambda _: None,
    ) -> None:
        self._surface = surface
        self._link = link
        self._texts = texts
        self._root = root
        self._clock = clock
        self._cover = cover
        self._density = density
        self._suits = suits
        self._speaker = speaker
        self._on_language = on_language
        self._heard = alarms.Sounded()
        self._languages: Mapping[str, str] = available(root)
        self._view: TableView | None = None
        self._looking = Looking()
        self._flash: tuple[str, float] | None = None
        self._last_tap = ("", -1.0)
        self._last_touch = (0, -1.0)
        self._picture: Picture | None = None
        self._built: object = None
        self._second = (0.0, -LEAST_SECOND)
        self.screen = Screen(Frame())
        self.regions: Mapping[str, Rect] = {}
        self.frames = 0
        self.is_open = True

    def run(self) -> None:
        """Show the screen until it is closed or `stop` is called."""
        while self.is_open:
            self.step(INPUT_CYCLE)

    def run_until_told(self) -> None:
        """`run`, which SIGTERM and SIGINT end as well. Main thread only."""

        def end(_signal: int, _frame: FrameType | None) -> None:
            self.stop()

        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, end)
        self.run()

    def stop(self) -> None:
        """End `run` within one input cycle."""
        self.is_open = False

    def step(self, timeout: float) -> None:
        """Take in what there is, draw if it changes anything, then wait for more."""
        now = self._clock()
        self._take_view(now)
        for event in pygame.event.get():
            if event.type == pygame.QUIT:
                self.is_open = False
            elif event.type in _SHOWN_ANEW:
                self._begin_anew()
            elif event.type in (pygame.MOUSEBUTTONDOWN, pygame.FINGERDOWN):
                self._tap(event, now)
        self._looking = passed(self._looking, now)
        self._show(now)
        self._sound(now)
        self._link.wait(timeout)

    def _begin_anew(self) -> None:
        """The display was away, or is another one: all is arranged and drawn again."""
        self._surface = pygame.display.get_surface() or self._surface
        self._picture = None
        self._built = None

    def _sound(self, now: float) -> None:
        """What is seen already is heard as well."""
        self._heard, sound = alarms.due(self._heard, self._view, self._looking, now)
        if sound is not None and self._speaker is not None:
            self._speaker.play(sound)
            self._looking = replace(self._looking, soundless=bool(self._speaker.fault))

    def _take_view(self, now: float) -> None:
        view = self._link.poll(now)
        if view is not None:
            self._looking = arrived(self._looking, self._view, view, now)
            self._view = view
        if self._looking.calling and not self._link.connection(now).is_open:
            self._looking = lost(self._looking)

    def _tap(self, event: pygame.event.Event, now: float) -> None:
        if event.type == pygame.FINGERDOWN:
            if event.touch_id in (-1, _MOUSE):
                return
            width, height = self._surface.get_size()
            x, y = event.x * width, event.y * height
        else:
            if event.button != 1 or getattr(event, "touch", False):
                return
            x, y = event.pos
        device, at = self._last_touch
        if device not in (0, event.type) and now - at < ECHO:
            return
        self._last_touch = (event.type, now)
        self._heard = alarms.tap(self._heard)
        self._show(now)  # a tap means what is on the screen, and a view may just have come in
        for button in self.screen.buttons:
            if button.enabled and self.regions[button.id].holds(x, y):
                self._press(button.id, now)
                return

    def _press(self, button: str, now: float) -> None:
        last, at = self._last_tap
        self._last_tap = (button, now)
        bounce = KEY_BOUNCE if button.startswith("key:") or button == "erase" else BOUNCE
        if button == last and now - at < bounce:
            return
        if self._cover is not None and self._cover.takes(button, now):
            self._flash = (button, now + FLASH)
            return
        if button == "retry":
            self._link.retry(now)
        looking, said = tapped(self._looking, self._view, button)
        if all(self._link.send(line, now) for line in lines(said)):
            if looking.language not in (None, self._texts.language):
                self._texts = load(looking.language, self._root)
                self._on_language(looking.language)
            self._looking = looking
            self._flash = (button, now + FLASH)

    def _show(self, now: float) -> None:
        connection = self._link.connection(now)
        if self._flash is not None and now >= self._flash[1]:
            self._flash = None
        flash = self._flash[0] if self._flash is not None else ""
        timer = self._looking.floor_at
        table_time = self._table_time(now)
        shown = (
            self._view,
            self._looking,
            self._texts.language,
            Connection(connection.cause, int(connection.silence), connection.bad),
            int(now - timer) if timer is not None else 0,
            int(table_time),
            self._cover.shown if self._cover is not None else None,
        )
        if shown != self._built:
            self._built = shown
            self.screen = model.build(
                self._view,
                self._looking,
                connection,
                self._texts,
                now=now,
                table_time=table_time,
                languages=self._languages,
            )
            if self._cover is not None:
                self.screen = self._cover.over(self.screen)
            size = self._surface.get_size()
            self.regions = arrange(*size, self.screen.frame, self._density)
        picture = Picture(self.screen, self.regions, flash)
        if self._picture != picture:
            self._draw(picture)
            self._picture = picture

    def _draw(self, picture: Picture) -> None:
        rects = None if self._picture is None else changes(self._picture, picture)
        surface, density, suits = self._surface, self._density, self._suits
        if rects is None:
            screen, regions, pressed = picture.screen, picture.regions, picture.pressed
            draw.paint(surface, screen, regions, pressed, density=density, suits=suits)
            pygame.display.flip()
        elif rects:
            draw.repaint(surface, picture, rects, density=density, suits=suits)
            pygame.display.update(rects)
        self.frames += 1

    def _table_time(self, now: float) -> float:
        """Return the table's time, which goes on in whole seconds and no faster than ours."""
        t = self._link.table_time(now)
        if int(t) != int(self._second[0]) and now - self._second[1] >= LEAST_SECOND:
            self._second = (t, now)
        return self._second[0]
