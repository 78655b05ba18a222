"""How `cutcard dealer` is called."""

from __future__ import annotations

import argparse
import math
import sys
from pathlib import Path

from controller.process.arguments import ArgumentParser
from display.dealer.panel import Panel, edids, fit, read_panel, reported
from display.dealer.theme import SUITS

SMALLEST = (800, 480)

EPILOG = """\
examples:
  cutcard dealer --socket /run/cutcard/dealer.sock --fullscreen
  cutcard dealer --replay hand.jsonl --at 41.5 --shot flop.png
  cutcard dealer --replay - --model --size 800x480 <hand.jsonl
  cutcard dealer --train missing-burn --speed 2
"""


def fail(fault: str) -> int:
    """Tells the fault in one line; returns the exit status of a mistake in what was given."""
    sys.stderr.write(f"cutcard dealer: {fault}\n")
    return 2


def density(options: argparse.Namespace, size: tuple[int, int]) -> float:
    """Returns the pixels per millimetre to draw for, and says what is odd about the panel. Raises
    PanelError."""
    seen = reported(edids()) if options.fullscreen else None
    found, remark = fit(size, options.panel, seen)
    if remark:
        sys.stderr.write(f"cutcard dealer: {remark}\n")
    return found


def check(reader: ArgumentParser, options: argparse.Namespace) -> None:
    """Ends the program where options are given that belong to others."""

    def given(name: str) -> bool:
        return bool(getattr(options, name) != reader.get_default(name))

    training = given("train") or given("list")
    if training and given("replay"):
        reader.error("--train and --replay can't be used together")
    for name in ("at", "shot", "model", "lost", "tap"):
        if given(name) and not given("replay"):
            reader.error(f"--{name} needs --replay LOG")
    if given("speed") and not training:
        reader.error("--speed needs --train")
    if given("rulebook") and not training and not given("replay"):
        reader.error("--rulebook needs --replay LOG or --train")


def _size(text: str) -> tuple[int, int]:
    width, _, height = text.partition("x")
    if not (width.isdecimal() and height.isdecimal()):
        raise argparse.ArgumentTypeError(f"{text!r} is not a size like 1280x800")
    size = int(width), int(height)
    if size[0] < SMALLEST[0] or size[1] < SMALLEST[1] or max(size) > 8192:
        raise argparse.ArgumentTypeError(f"{text!r} is not between 800x480 and 8192x8192")
    return size


def _panel(text: str) -> Panel:
    try:
        return read_panel(text)
    except ValueError:
        fault = f"{text!r} is not a size like 217x136mm or 10.1in"
        raise argparse.ArgumentTypeError(fault) from None


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 <= seconds < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds like 41.5")
    return seconds


def _speed(text: str) -> float:
    try:
        speed = float(text)
    except ValueError:
        speed = math.nan
    if not 0.1 <= speed <= 100:
        raise argparse.ArgumentTypeError(f"{text!r} is not a speed between 0.1 and 100")
    return speed


def _png(text: str) -> Path:
    path = Path(text)
    if path.suffix.lower() != ".png":
        raise argparse.ArgumentTypeError(f"{text!r} is not a FILE.png")
    return path


def parser() -> ArgumentParser:
    """Returns what reads the arguments, a line for a mistake; `check` looks at what it has read."""
    reader = ArgumentParser(
        prog="cutcard dealer",
        description="The dealer's screen of one table.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    reader.add_argument(
        "--socket",
        type=Path,
        default=Path("/run/cutcard/dealer.sock"),
        metavar="PATH",
        help="Unix socket of the table (default: %(default)s)",
    )
    reader.add_argument(
        "--size",
        type=_size,
        default=(1280, 800),
        metavar="WxH",
        help="size of the window in pixels (default: 1280x800)",
    )
    reader.add_argument(
        "--panel",
        type=_panel,
        metavar="SIZE",
        help="size of the panel or window, as 217x136mm or as 10.1in "
        "across; buttons and texts are sized by it (default: with "
        "--fullscreen, what the panel reports; else 10.1 or 7 inches "
        "by its pixels)",
    )
    reader.add_argument(
        "--suits",
        choices=sorted(SUITS),
        default="four",
        help="number of colours for the four suits (default: four)",
    )
    reader.add_argument("--fullscreen", action="store_true", help="fill the display")
    reader.add_argument(
        "--wait-for-display",
        action="store_true",
        help="without a display wait for one, instead of ending with status 3",
    )
    reader.add_argument(
        "--language",
        "--lang",
        default="en",
        metavar="ID",
        help="language of the screen (default: en)",
    )
    reader.add_argument(
        "--config",
        type=Path,
        metavar="DIR",
        help="folder with languages/ and rulebooks/ (default: the shipped one)",
    )
    replay = reader.add_argument_group("replay: the screen as it was, from a table log")
    replay.add_argument(
        "--replay",
        metavar="LOG",
        help="show what the dealer saw; - is standard input. Without "
        "--shot and --model it opens a window, where the Left and "
        "Right keys step through the pictures",
    )
    replay.add_argument(
        "--at", type=_seconds, metavar="T", help="the time in the log (default: its end)"
    )
    replay.add_argument(
        "--rulebook",
        metavar="ID",
        help="judge by this rule book instead of the log's own, or train with it",
    )
    replay.add_argument(
        "--shot",
        type=_png,
        metavar="FILE.png",
        help="write the picture to a file; needs no display",
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
        help="tap this element first; may be given several times",
    )
    replay.add_argument(
        "--lost",
        type=_seconds,
        metavar="SECONDS",
        help="show it as if the table had been lost for this long",
    )
    train = reader.add_argument_group("training: lessons instead of a table")
    train.add_argument(
        "--train",
        nargs="?",
        const="",
        metavar="LESSON",
        help="play this lesson, or choose one on the screen; results are "
        "kept in $XDG_STATE_HOME/cutcard/training.jsonl",
    )
    train.add_argument("--list", action="store_true", help="list the lessons and exit")
    train.add_argument(
        "--speed", type=_speed, default=1.0, metavar="X", help="how many times as fast"
    )
    return reader
