"""`cutcard dealer`: the dealer's screen as a program."""

from __future__ import annotations

import argparse
import math
import os
import signal
import sys
import time
from collections import deque
from collections.abc import Sequence
from pathlib import Path
from types import FrameType

import msgspec

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

import pygame

from controller.arguments import ArgumentParser
from controller.books import RulebookError
from controller.replay.log import LogError
from controller.settings import config_dir
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

SMALLEST = (800, 480)
NO_DISPLAY = 3

EPILOG = """\
examples:
  cutcard dealer --socket /run/cutcard/dealer.sock --fullscreen
  cutcard dealer --replay hand.jsonl --at 41.5 --shot flop.png
  cutcard dealer --replay hand.jsonl --model --size 800x480 <hand.jsonl
"""


def main(argv: Sequence[str]) -> int:
    """Run the dealer's screen.

    Returns 0 when it was ended, 2 for a mistake in what was given, 3 without a display.
    Ends within a second of SIGTERM or SIGINT.
    """
    parser = _parser()
    options = parser.parse_args(argv)
    for name in ("at", "shot", "model", "rulebook", "lost", "tap"):
        if getattr(options, name) != parser.get_default(name) and options.replay is None:
            parser.error(f"--{name} needs --replay LOG")
    root: Path = options.config or config_dir()
    try:
        if options.replay is not None:
            return _replay(options, root)
        return _run(options, load(options.language, root), root)
    except (TextsError, LogError, RulebookError, replaying.TapError) as error:
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


def _replay(options: argparse.Namespace, root: Path) -> int:
    player = replaying.Player(root, options.language, options.lost, options.tap)
    warnings: list[str] = []
    try:
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


def _size(text: str) -> tuple[int, int]:
    width, _, height = text.partition("x")
    if not (width.isdecimal() and height.isdecimal()):
        raise argparse.ArgumentTypeError(f"{text!r} is not a size like 1280x800")
    size = int(width), int(height)
    if size[0] < SMALLEST[0] or size[1] < SMALLEST[1] or max(size) > 8192:
        raise argparse.ArgumentTypeError(f"{text!r} is not within 800x480 to 8192x8192")
    return size


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 <= seconds < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds like 41.5")
    return seconds


def _png(text: str) -> Path:
    path = Path(text)
    if path.suffix.lower() != ".png":
        raise argparse.ArgumentTypeError(f"{text!r} is no FILE.png")
    return path


def _parser() -> ArgumentParser:
    parser = ArgumentParser(
        prog="cutcard dealer",
        description="The dealer's screen of one table.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
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
        "--language",
        "--lang",
        default="en",
        metavar="ID",
        help="language of the screen (default: en)",
    )
    parser.add_argument(
        "--config",
        type=Path,
        metavar="DIR",
        help="folder with languages/ and rulebooks/ (default: the shipped one)",
    )
    replay = parser.add_argument_group("the screen as it was, from a table log")
    replay.add_argument(
        "--replay",
        metavar="LOG",
        help="show what a dealer saw who was watching; - is standard input. Without --shot and "
        "--model in a window, where the keys Left and Right go from picture to picture",
    )
    replay.add_argument(
        "--at", type=_seconds, metavar="T", help="at this time of the log (default: its end)"
    )
    replay.add_argument(
        "--rulebook", metavar="ID", help="judge by this rule book instead of the log's own"
    )
    replay.add_argument(
        "--shot", type=_png, metavar="FILE.png", help="write the picture; needs no display"
    )
    replay.add_argument(
        "--model",
        action="store_true",
        help="print every text and touch target as drawn, a JSON array of "
        "{id, text, rect: [x, y, w, h], font_px, fg, bg, touch}",
    )
    replay.add_argument(
        "--tap",
        action="append",
        default=[],
        metavar="ID",
        help="after a tap on this element; may be given several times",
    )
    replay.add_argument(
        "--lost",
        type=_seconds,
        metavar="SECONDS",
        help="as if the table had been lost for so long",
    )
    return parser
