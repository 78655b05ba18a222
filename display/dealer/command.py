"""`cutcard dealer`: the dealer's screen as a program."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")


from controller.files.settings import config_dir
from controller.files.toml_file import ConfigError
from controller.library.languages import languages
from display.dealer.drawn.sounds import Speaker
from display.dealer.drawn.window import Window
from display.dealer.kept import Kept, place
from display.dealer.link import Link
from display.dealer.options import check, density, fail
from display.dealer.options import parser as _parser
from display.dealer.panel import PanelError
from display.dealer.texts import Texts, load
from display.dealer.theme import SUITS
from display.drawing.video import (
    NoDisplayError,
    await_display,
    close_display,
    driver,
    open_display,
)

NO_DISPLAY = 3


def main(argv: Sequence[str]) -> int:
    """Run the dealer's screen.

    Returns 0 when it was ended, 1 for what may pass, 2 for a mistake in what was given, 3
    without a display. Ends within a second of SIGTERM or SIGINT.
    """
    parser = _parser()
    options = parser.parse_args(argv)
    check(parser, options)
    root: Path = options.config or config_dir()
    try:
        # Logs and lessons need the engine; a table's screen is up sooner and smaller without it.
        if options.replay is not None:
            from display.dealer.replay.command import replay  # noqa: PLC0415

            return replay(options, root)
        if options.train is not None or options.list:
            from display.dealer.training.command import train  # noqa: PLC0415

            return train(options, root)
        return _run(options, root)
    except (ConfigError, PanelError) as error:
        return fail(str(error))
    except NoDisplayError as error:
        sys.stderr.write(f"cutcard dealer: no display to draw on: {error}\n")
        return NO_DISPLAY


def _say(line: str) -> None:
    sys.stderr.write(f"cutcard dealer: {line}\n")
    sys.stderr.flush()


def _texts(kept: Kept, options: argparse.Namespace, root: Path) -> Texts:
    """The language that was chosen, unless it is there no more. Raises ConfigError."""
    given = load(options.language, root)
    is_other = kept.language != options.language and kept.language in languages(root)
    return load(kept.language, root) if is_other else given


def _run(options: argparse.Namespace, root: Path) -> int:
    kept = Kept(place(), options.language)
    texts = _texts(kept, options, root)

    def keep(language: str) -> None:
        if fault := kept.choose(language):
            sys.stderr.write(f"cutcard dealer: the language is not saved: {fault}\n")

    if options.wait_for_display:
        surface = await_display(options.size, fullscreen=options.fullscreen, say=_say)
    else:
        surface = open_display(options.size, fullscreen=options.fullscreen)
    link = Link(options.socket, time.monotonic())
    speaker = Speaker()
    try:
        size = surface.get_size()
        px = density(options, size)
        sys.stderr.write(f"cutcard dealer: {size[0]}x{size[1]} pixels, {px:.1f} a mm, {driver()}\n")
        suits = SUITS[options.suits]
        window = Window(
            surface,
            link,
            texts,
            root,
            time.monotonic,
            density=px,
            suits=suits,
            speaker=speaker,
            on_language=keep,
        )
        window.run_until_told()
    finally:
        speaker.close()
        link.close()
        close_display()
    return 0
