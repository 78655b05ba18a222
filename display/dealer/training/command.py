"""`cutcard dealer --train`: lessons at the dealer's screen in place of a table."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Mapping
from pathlib import Path

from controller.contract.observations import nearest
from controller.files.toml_file import ConfigError
from controller.library.books import Library, open_library
from controller.training.course import LessonError, fits, rehearse
from controller.training.lesson import Lesson, load_lessons
from controller.training.results import Result, keep, results_file
from display.dealer.drawn.window import Window
from display.dealer.options import density, fail
from display.dealer.texts import load
from display.dealer.theme import SUITS
from display.dealer.training.session import Session
from display.drawing.video import close_display, open_display


def train(options: argparse.Namespace, root: Path) -> int:
    """Lists the lessons or plays them; returns 0, 1 if a result could not be kept, or 2. Raises
    NoDisplayError and PanelError."""
    try:
        return _train(options, root)
    except (ConfigError, LessonError) as error:
        return fail(str(error))


def _train(options: argparse.Namespace, root: Path) -> int:
    try:
        library = open_library(root, options.language)
    except OSError as error:
        return fail(f"{error.filename}: {error.strerror}")
    lessons = load_lessons(root, library, options.language)
    if not lessons:
        return fail(f"{root / 'lessons'}: there are no lessons")
    if options.list:
        for name, lesson in lessons.items():
            sys.stdout.write(f"{name:24}{lesson.title} ({lesson.rulebook}). {lesson.learn}\n")
        return 0
    if options.train and options.train not in lessons:
        near = nearest(options.train, lessons) or f"; there are {', '.join(lessons)}"
        return fail(f"no lesson '{options.train}'{near}")
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
        px = density(options, surface.get_size())
        window = Window(
            surface,
            session,
            texts,
            root,
            time.monotonic,
            cover=session,
            density=px,
            suits=SUITS[options.suits],
        )
        session.close = window.stop
        if options.train:
            session.begin(options.train, time.monotonic())
        window.run_until_told()
    finally:
        close_display()
    for fault in lost[:1]:
        sys.stderr.write(f"cutcard dealer: the result could not be kept: {fault}\n")
    return 1 if lost else 0
