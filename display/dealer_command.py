"""`cutcard dealer`: the dealer's screen as a program."""

from __future__ import annotations

import argparse
import os
import signal
import sys
import time
from collections import deque
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import FrameType

import msgspec

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

import pygame

from controller.books import Library, RulebookError, open_library
from controller.observations import nearest
from controller.replay.log import LogError
from controller.settings import config_dir
from controller.training.course import fits, rehearse
from controller.training.lesson import Lesson, LessonError, load_lessons
from controller.training.results import Result, keep, results_file
from display import replaying
from display.dealer import draw
from display.dealer.canvas import Element
from display.dealer.layout import arrange
from display.dealer.link import Link
from display.dealer.screen import Screen
from display.dealer.texts import Texts, TextsError, load
from display.dealer.viewer import show
from display.dealer.watching import Watched
from display.dealer.window import NoDisplayError, Window, open_display
from display.dealer_options import check
from display.dealer_options import parser as _parser
from display.training.session import Session

NO_DISPLAY = 3


def main(argv: Sequence[str]) -> int:
    """Run the dealer's screen.

    Returns 0 when it was ended, 2 for a mistake in what was given, 3 without a display.
    Ends within a second of SIGTERM or SIGINT.
    """
    parser = _parser()
    options = parser.parse_args(argv)
    check(parser, options)
    root: Path = options.config or config_dir()
    try:
        if options.replay is not None:
            return _replay(options, root)
        if options.train is not None or options.list:
            return _train(options, root)
        return _run(options, load(options.language, root), root)
    except (TextsError, LogError, RulebookError, LessonError, replaying.TapError) as error:
        return _fail(str(error))
    except NoDisplayError as error:
        sys.stderr.write(f"cutcard dealer: no display to draw on: {error}\n")
        return NO_DISPLAY


def _fail(fault: str) -> int:
    sys.stderr.write(f"cutcard dealer: {fault}\n")
    return 2


def _run(options: argparse.Namespace, texts: Texts, root: Path) -> int:
    surface = open_display(options.size, fullscreen=options.fullscreen)
    link = Link(options.socket, time.monotonic())
    try:
        _open(Window(surface, link, texts, root, time.monotonic))
    finally:
        link.close()
        pygame.display.quit()
    return 0


def _open(window: Window) -> None:
    """Runs it until it is closed, or a signal comes."""

    def end(_signal: int, _frame: FrameType | None) -> None:
        window.stop()

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, end)
    window.run()


def _train(options: argparse.Namespace, root: Path) -> int:
    try:
        library = open_library(root, options.language)
    except OSError as error:
        return _fail(f"{error.filename}: {error.strerror}")
    lessons = load_lessons(root / "lessons", library)
    if not lessons:
        return _fail(f"{root / 'lessons'}: there are no lessons")
    if options.list:
        for name, lesson in lessons.items():
            sys.stdout.write(f"{name:24}{lesson.title} ({lesson.rulebook}). {lesson.learn}\n")
        return 0
    if options.train and options.train not in lessons:
        near = nearest(options.train, lessons) or f"; there are {', '.join(lessons)}"
        return _fail(f"no lesson '{options.train}'{near}")
    if options.rulebook is not None:
        library.book(options.rulebook)
        if options.train:
            rehearse(lessons[options.train], library, options.rulebook)
        lessons = {n: one for n, one in lessons.items() if fits(one, library, options.rulebook)}
    return _teach(options, root, library, lessons)


def _teach(
    options: argparse.Namespace, root: Path, library: Library, lessons: Mapping[str, Lesson]
) -> int:
    """Opens the window on the lessons."""
    path = results_file(os.environ, Path.home())
    lost: list[str] = []

    def kept(result: Result) -> bool:
        try:
            keep(result, path)
        except OSError as error:
            lost.append(f"{error.filename or path}: {error.strerror}")
            return False
        return True

    texts = load(options.language, root)
    session = Session(
        lessons, library, texts, rulebook=options.rulebook, speed=options.speed, keep=kept
    )
    surface = open_display(options.size, fullscreen=options.fullscreen)
    try:
        window = Window(surface, session, texts, root, time.monotonic, cover=session)
        session.close = window.stop
        if options.train:
            session.begin(options.train, time.monotonic())
        _open(window)
    finally:
        pygame.display.quit()
    for fault in lost[:1]:
        sys.stderr.write(f"cutcard dealer: the result could not be kept: {fault}\n")
    return 1 if lost else 0


def _replay(options: argparse.Namespace, root: Path) -> int:
    warnings: list[str] = []
    try:
        player = replaying.Player(root, options.language, options.lost, options.tap)
        seen = player.watch(options.replay, warnings, options.rulebook, options.at)
        if options.shot is None and not options.model:
            _look(options, player, [*seen])
        else:
            _picture(options, player, deque(seen, maxlen=1).pop())
    except OSError as error:
        if isinstance(error, BrokenPipeError):
            raise
        return _fail(f"{error.filename or options.replay}: {error.strerror or error}")
    for warning in warnings:
        sys.stderr.write(f"cutcard dealer: warning: {warning}\n")
    return 0


def _look(options: argparse.Namespace, player: replaying.Player, seen: list[Watched]) -> None:
    """Shows it in a window until that is closed."""
    surface = open_display(options.size, fullscreen=options.fullscreen)
    try:
        show(surface, seen, lambda surface, one: _paint(surface, player.screen(one)))
    finally:
        pygame.display.quit()


def _picture(options: argparse.Namespace, player: replaying.Player, seen: Watched) -> None:
    """Writes the picture and prints the model. Raises OSError."""
    surface = pygame.Surface(options.size)
    elements = _paint(surface, player.screen(seen))
    if options.shot is not None:
        try:
            with options.shot.open("wb") as file:
                pygame.image.save(surface, file, "shot.png")
        except pygame.error as error:
            raise OSError(0, str(error), str(options.shot)) from error
    if options.model:
        sys.stdout.write(msgspec.json.encode(elements).decode() + "\n")


def _paint(surface: pygame.Surface, screen: Screen) -> tuple[Element, ...]:
    return draw.paint(surface, screen, arrange(*surface.get_size(), screen.frame))
