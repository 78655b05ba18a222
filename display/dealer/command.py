"""`cutcard dealer`: the dealer's screen as a program."""

from __future__ import annotations

import argparse
import os
import signal
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from types import FrameType

import msgspec

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

import pygame

from controller.arguments import ArgumentParser
from controller.settings import config_dir
from controller.view import TableView
from display.dealer import draw, model
from display.dealer.connection import Connection
from display.dealer.layout import arrange
from display.dealer.link import Link, UnreadableError, check
from display.dealer.looking import Looking, arrived, tapped
from display.dealer.texts import Texts, TextsError, available, load
from display.dealer.window import NoDisplayError, Window, open_display

SMALLEST = (800, 480)
NO_DISPLAY = 3


def main(argv: Sequence[str]) -> int:
    """Run the dealer's screen.

    Returns 0 when it was ended, 2 for a mistake in what was given, 3 without a display.
    Ends within a second of SIGTERM or SIGINT.
    """
    options = _parser().parse_args(argv)
    root: Path = options.config or config_dir()
    try:
        texts = load(options.language, root)
        if options.shot is not None:
            return _shot(options, texts, root)
        return _run(options, texts, root)
    except (TextsError, UnreadableError) as error:
        sys.stderr.write(f"cutcard dealer: {error}\n")
        return 2
    except NoDisplayError as error:
        sys.stderr.write(f"cutcard dealer: no display to draw on: {error}\n")
        return NO_DISPLAY


def _run(options: argparse.Namespace, texts: Texts, root: Path) -> int:
    surface = open_display(options.size, fullscreen=options.fullscreen)
    link = Link(options.socket, time.monotonic())
    window = Window(surface, link, texts, root, time.monotonic)

    def end(_signal: int, _frame: FrameType | None) -> None:
        window.stop()

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, end)
    try:
        window.run()
    finally:
        link.close()
        pygame.display.quit()
    return 0


def _shot(options: argparse.Namespace, texts: Texts, root: Path) -> int:
    given = sys.stdin.buffer.read().strip()
    view, looking = None, Looking()
    if given:
        try:
            view = msgspec.json.decode(given, type=TableView)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise UnreadableError(f"standard input: {error}") from error
        check(view)
        looking = arrived(looking, None, view, 0.0)
    lost = options.lost
    if lost is None and view is None:
        lost = 0.0
    connection = Connection("" if lost is None else "closed", lost or 0.0)
    languages = available(root)
    screen = model.build(view, looking, connection, texts, now=0.0, languages=languages)
    for button in options.tap:
        enabled = sorted(one.id for one in screen.buttons if one.enabled)
        if button not in enabled:
            raise UnreadableError(f"--tap {button}: not among {', '.join(enabled)}")
        looking, _ = tapped(looking, view, button)
        screen = model.build(view, looking, connection, texts, now=0.0, languages=languages)
    width, height = options.size
    surface = pygame.Surface((width, height))
    draw.paint(surface, screen, arrange(width, height, screen.frame))
    try:
        pygame.image.save(surface, str(options.shot))
    except (OSError, pygame.error) as error:
        raise UnreadableError(f"{options.shot}: {error}") from error
    return 0


def _size(text: str) -> tuple[int, int]:
    width, _, height = text.partition("x")
    if not (width.isdecimal() and height.isdecimal()):
        raise argparse.ArgumentTypeError(f"{text!r} is not a size like 1280x800")
    size = int(width), int(height)
    if size[0] < SMALLEST[0] or size[1] < SMALLEST[1] or max(size) > 8192:
        raise argparse.ArgumentTypeError(f"{text!r} is not within 800x480 to 8192x8192")
    return size


def _parser() -> ArgumentParser:
    parser = ArgumentParser(prog="cutcard dealer", description="The dealer's screen of one table.")
    parser.add_argument(
        "--socket",
        type=Path,
        default=Path("/run/cutcard/dealer.sock"),
        metavar="PATH",
        help="Unix socket of the table (default: %(default)s)",
    )
    parser.add_argument(
        "--size",
        type=_size,
        default=(1280, 800),
        metavar="WxH",
        help="size of the window in pixels (default: 1280x800)",
    )
    parser.add_argument("--fullscreen", action="store_true", help="fill the display")
    parser.add_argument(
        "--language", default="en", metavar="ID", help="language of the screen (default: en)"
    )
    parser.add_argument(
        "--config",
        type=Path,
        metavar="DIR",
        help="folder with languages/ (default: the shipped one)",
    )
    shot = parser.add_argument_group("a picture instead of a window")
    shot.add_argument(
        "--shot",
        type=Path,
        metavar="FILE.png",
        help="draw the view read as JSON from standard input into FILE.png, and end",
    )
    shot.add_argument(
        "--lost",
        type=float,
        metavar="SECONDS",
        help="draw it as if the table had been lost for so long",
    )
    shot.add_argument(
        "--tap",
        action="append",
        default=[],
        metavar="BUTTON",
        help="draw it after a tap on this button; may be given several times",
    )
    return parser
