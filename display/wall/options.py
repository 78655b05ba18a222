"""How `cutcard wall` is called."""

from __future__ import annotations

import argparse
import re
from pathlib import Path

from controller.contract.messages import is_event_id
from controller.process.arguments import ArgumentParser
from display.wall import broker_options

SMALLEST = (640, 360)
_INCHES = {"": 1.0, "in": 1.0, '"': 1.0, "cm": 1 / 2.54, "mm": 1 / 25.4}

EPILOG = f"""\
examples:
  cutcard wall --broker room.local:1883 --user screen --password-file screen.pw --diagonal 65in
  cutcard wall --theme light --language de --logo club.png --mute
  cutcard wall --size 1280x720 --diagonal 32in --distance 6m
  cutcard wall --clock clock.json --left 42 --shot wall.png --size 1080x1920

{broker_options.EPILOG}
The room need not be up: the wall waits for it, and keeps running if it goes away.
"""


def parser() -> ArgumentParser:
    """What reads the arguments, a line for a mistake."""
    reader = ArgumentParser(
        prog="cutcard wall",
        description="The blinds clock for a wall, on a machine without a browser.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    broker_options.add(reader)
    reader.add_argument("--event", type=_event, metavar="ID", help="default: the room's first one")
    reader.add_argument(
        "--diagonal",
        type=_diagonal,
        default=55.0,
        metavar="55in",
        help="size of the screen, in inches (in) or cm (default: 55in)",
    )
    reader.add_argument(
        "--distance",
        type=_distance,
        default=10.0,
        metavar="10m",
        help="distance from which everything must be readable (default: 10m)",
    )
    reader.add_argument(
        "--size",
        type=_size,
        metavar="WxH",
        help="a window of this size in pixels (default: the whole display; 1920x1080 for --shot)",
    )
    reader.add_argument(
        "--turn",
        type=int,
        choices=(0, 90, 180, 270),
        default=0,
        metavar="90",
        help="turn the picture clockwise, for a screen on its side: 90, 180 or 270",
    )
    reader.add_argument("--theme", default="dark", metavar="NAME", help="or a file (default: dark)")
    reader.add_argument("--logo", type=Path, metavar="FILE.png", help="the club's logo")
    reader.add_argument("--language", "--lang", default="en", metavar="ID", help="default: en")
    reader.add_argument("--mute", action="store_true", help="make no sound")
    reader.add_argument(
        "--wait-for-display",
        action="store_true",
        help="without a display wait for one, instead of ending with status 3",
    )
    reader.add_argument(
        "--config",
        type=Path,
        metavar="DIR",
        help="folder with languages/ and themes/ (default: the shipped one)",
    )
    shot = reader.add_argument_group("a picture of a clock, without a display or broker")
    shot.add_argument("--shot", type=_png, metavar="FILE.png", help="write the picture to a file")
    shot.add_argument(
        "--clock", type=Path, metavar="FILE.json", help="what the room publishes on room/clock"
    )
    shot.add_argument(
        "--tournament", type=Path, metavar="FILE.json", help="the same for room/tournament"
    )
    shot.add_argument(
        "--left",
        type=_seconds,
        metavar="SECONDS",
        help="time left in the level of a running clock (default: all of it)",
    )
    shot.add_argument(
        "--lost",
        type=_seconds,
        default=0.0,
        metavar="SECONDS",
        help="show it as if the room had been silent for this long",
    )
    return reader


def check(reader: ArgumentParser, options: argparse.Namespace) -> None:
    """Ends the program where options are given that belong to others."""
    if options.shot is not None and options.clock is None:
        reader.error("--shot needs --clock FILE.json")
    for name in ("clock", "tournament", "left", "lost"):
        if getattr(options, name) != reader.get_default(name) and options.shot is None:
            reader.error(f"--{name} needs --shot FILE.png")


def _event(text: str) -> str:
    if not is_event_id(text):
        raise argparse.ArgumentTypeError(f"{text!r} is not an event: small letters, digits and '-'")
    return text


def _diagonal(text: str) -> float:
    found = re.fullmatch(r'([0-9]{1,4}(?:\.[0-9]{1,3})?) ?(in|cm|mm|"|)', text)
    inches = float(found[1]) * _INCHES[found[2]] if found else 0.0
    if not 5 <= inches <= 1000:
        raise argparse.ArgumentTypeError(f"{text!r} is not a diagonal like 55in or 140cm")
    return inches


def _distance(text: str) -> float:
    found = re.fullmatch(r"([0-9]{1,3}(?:\.[0-9]{1,3})?) ?m?", text)
    if found is None or not 1 <= float(found[1]) <= 100:
        raise argparse.ArgumentTypeError(f"{text!r} is not a distance between 1m and 100m")
    return float(found[1])


def _size(text: str) -> tuple[int, int]:
    found = re.fullmatch(r"([0-9]{1,5})x([0-9]{1,5})", text)
    size = (int(found[1]), int(found[2])) if found else (0, 0)
    if max(size) < SMALLEST[0] or min(size) < SMALLEST[1] or max(size) > 8192:
        raise argparse.ArgumentTypeError(f"{text!r} is not a size like 1920x1080, at most 8192")
    return size


def _seconds(text: str) -> float:
    if not re.fullmatch(r"[0-9]{1,6}(\.[0-9]{1,3})?", text):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds like 41.5")
    return float(text)


def _png(text: str) -> Path:
    path = Path(text)
    if path.suffix.lower() != ".png":
        raise argparse.ArgumentTypeError(f"{text!r} is not a FILE.png")
    return path
