"""The window without a screen: SDL draws into memory."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from itertools import pairwise

import pytest
from msgspec.structs import replace

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

import pygame

from controller.broker.client import Incoming
from controller.contract.messages import EVENT_CLOCK, ROOM_STATE, ROOM_TIME
from controller.files.settings import config_dir, themes
from display.drawing.colour import contrast
from display.drawing.video import open_display
from display.wall.cues import Cue
from display.wall.drawn.sheet import Turn
from display.wall.drawn.sound import RATE, TONES, Speaker, samples
from display.wall.drawn.window import LONGEST_S, Look, Window
from display.wall.theme import load as load_theme
from display.wall.words import load as load_words
from tests.wall.rooms import BREAK, FINAL, LEVEL, PAUSED, SITE, clock, state, time, tournament

SIZE = (1280, 720)


class Wall:
    """A window whose time is turned by hand, in a room that tells its time when asked to."""

    def __init__(self, theme: str = "dark", turn: Turn = 0, event: str = "") -> None:
        self.now = 0.0
        self.cues: list[Cue] = []
        self.surface = open_display(SIZE, fullscreen=False)
        logo = pygame.Surface((300, 100))
        logo.fill((200, 30, 40))
        self.look = Look(
            load_words("en", config_dir()),
            load_theme(theme, config_dir()),
            diagonal_in=55.0,
            logo=logo,
        )
        self.window = Window(
            self.look,
            SITE,
            clock=lambda: self.now,
            local_time=lambda: f"21:{int(self.now) // 60:02}",
            sound=self.cues.append,
            turn=turn,
            event=event,
        )
        self.window.link(up=True)
        pygame.event.clear()

    def step(self, seconds: float = 0.0, *, told: bool = True) -> float:
        self.now += seconds
        if told:
            self.window.received(time(int(self.now * 1000)))
        return self.window.step()

    def pixels(self) -> bytes:
        return pygame.image.tobytes(self.surface, "RGB")

    def whole(self) -> bytes:
        """What a picture painted anew looks like."""
        clean = pygame.Surface(self.surface.get_size(), 0, self.surface)
        shown = self.window.shown
        placed = self.look.place(shown, clean.get_size(), self.now)
        self.look.paint(clean, shown, placed)
        return pygame.image.tobytes(clean, "RGB")


@pytest.fixture
def wall() -> Iterator[Wall]:
    yield Wall()
    pygame.display.quit()


def test_only_what_has_changed_is_painted_and_it_looks_as_if_all_were(wall: Wall) -> None:
    chance = random.Random(7)
    told = [
        clock(LEVEL),
        clock(PAUSED, why="Seat change"),
        clock(BREAK),
        clock(FINAL),
        clock(replace(LEVEL, deadline_ms=70_000)),
        tournament(players_left=9, entries=24, average_stack=4000),
        tournament(players_left=8, entries=24, average_stack=14_000, prizes=["500 €"]),
        state("lost"),
        state("ready"),
    ]
    for number in range(80):
        if number % 3 == 0:
            wall.window.received(chance.choice(told))
        wall.step(chance.choice([0.3, 1.0, 1.0, 1.0, 5.0]), told=chance.random() < 0.7)
        assert wall.pixels() == wall.whole(), (number, wall.window.shown)


def test_nothing_is_painted_twice(wall: Wall) -> None:
    wall.window.received(clock(LEVEL))
    wall.step()
    before = wall.window.frames
    for _ in range(10):
        wall.step(0.01)
    assert wall.window.frames - before <= 1
    for _ in range(5):
        wall.step(1.0)
    assert wall.window.frames - before <= 6


def test_it_wakes_when_the_second_is_over(wall: Wall) -> None:
    wall.window.received(clock(LEVEL))
    assert wall.step(0.9) == pytest.approx(0.1, abs=0.01)
    assert wall.step(0.2) == LONGEST_S
    wall.window.received(clock(PAUSED))
    assert wall.step() == LONGEST_S


def test_a_display_that_was_covered_or_changed_its_size_is_painted_anew(wall: Wall) -> None:
    wall.window.received(clock(LEVEL))
    wall.step()
    good = wall.pixels()
    wall.surface.fill((1, 2, 3))
    pygame.event.post(pygame.event.Event(pygame.WINDOWEXPOSED))
    wall.step()
    assert wall.pixels() == good
    wall.surface = pygame.display.set_mode((1080, 1920))
    pygame.event.post(pygame.event.Event(pygame.WINDOWSIZECHANGED))
    wall.step()
    assert wall.pixels() == wall.whole()


def test_closing_the_window_ends_it(wall: Wall) -> None:
    pygame.event.post(pygame.event.Event(pygame.QUIT))
    wall.step()
    assert not wall.window.is_open


@pytest.mark.parametrize("turn", [90, 180, 270])
def test_a_screen_on_its_side_shows_the_same_picture_turned(turn: Turn) -> None:
    wall = Wall(turn=turn)
    size = SIZE if turn == 180 else (SIZE[1], SIZE[0])
    wall.window.received(clock(replace(LEVEL, deadline_ms=64_000)))
    for seconds in (0.0, 1.0, 1.0, 9.0):  # whole, then in parts
        wall.step(seconds, told=seconds < 2)
        upright = pygame.Surface(size, 0, wall.surface)
        shown = wall.window.shown
        wall.look.paint(upright, shown, wall.look.place(shown, size, wall.now))
        turned = pygame.transform.rotate(upright, -turn)
        assert wall.pixels() == pygame.image.tobytes(turned, "RGB")
    pygame.display.quit()


@pytest.mark.parametrize("name", themes(config_dir()))
def test_in_every_theme_letters_stand_out_where_they_stand(name: str) -> None:
    wall = Wall(name)
    for told in (clock(LEVEL), clock(PAUSED, why="Seat change"), clock(BREAK), clock(FINAL)):
        wall.window.received(told)
        wall.step()
        wall.step(9.0, told=False)
        shown = wall.window.shown
        for text in wall.look.place(shown, SIZE, wall.now).texts:
            area = pygame.Rect(text.rect).clip(wall.surface.get_rect())
            found = {
                tuple(wall.surface.get_at((x, y))[:3])
                for x in range(area.x, area.right)
                for y in range(area.y, area.bottom, 3)
            }
            ground = tuple(wall.surface.get_at(area.topleft)[:3])
            best = max(contrast((a, b, c), (ground[0], ground[1], ground[2])) for a, b, c in found)
            assert best >= 6.9, (name, text)
    pygame.display.quit()


def test_sounds_come_when_they_are_due(wall: Wall) -> None:
    wall.window.received(clock(replace(LEVEL, deadline_ms=61_500)))
    wall.step()
    for _ in range(8):
        wall.step(0.25)
    assert wall.cues == ["minute"]
    for _ in range(240):
        wall.step(0.25, told=False)
    assert wall.cues == ["minute", "change"]


def test_the_sounds_can_be_heard_and_do_not_crack() -> None:
    for tones in TONES.values():
        heard = memoryview(samples(tones)).cast("h")
        assert max(heard) > 20_000
        assert max(abs(a - b) for a, b in pairwise(heard)) < 9_000
        assert abs(heard[-1]) < 500
        seconds = sum(length for _, length in tones)
        assert seconds < len(heard) / RATE < seconds + 0.5


def test_a_sound_card_plays_them() -> None:
    speaker = Speaker()
    speaker.play("test")
    assert pygame.mixer.get_busy()
    speaker.close()
    assert speaker.played == ["test"]


def test_a_logo_is_shown(wall: Wall) -> None:
    wall.window.received(clock(LEVEL))
    wall.step()
    place = wall.look.place(wall.window.shown, SIZE, wall.now).logo
    middle = (place.x + place.w // 2, place.y + place.h // 2)
    assert tuple(wall.surface.get_at(middle))[:3] == pytest.approx((200, 30, 40), abs=4)


def test_a_wall_of_an_event_hears_that_and_shows_it(wall: Wall) -> None:
    of_turbo = Wall(event="turbo")
    assert set(of_turbo.window.filters) & set(wall.window.filters) == {
        ROOM_STATE.name(SITE),
        ROOM_TIME.name(SITE),
    }
    clock_of_turbo = EVENT_CLOCK.message(SITE, "turbo", payload=replace(LEVEL, level=8))
    incoming = Incoming(clock_of_turbo.topic, clock_of_turbo.payload, retain=True)
    for each in (wall, of_turbo):
        each.window.received(clock(LEVEL))
        each.window.received(incoming)
        each.step()
    assert "8" in of_turbo.window.shown.heading
    assert "5" in wall.window.shown.heading
