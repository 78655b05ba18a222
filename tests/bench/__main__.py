"""The command `./run bench`: the figures of the program's parts beside their targets."""

from __future__ import annotations

import argparse
import datetime
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import msgspec

from controller.broker.own import find_mosquitto
from controller.library.books import Library, open_library
from controller.process.arguments import ArgumentParser
from tests.bench import (
    audit,
    blinds,
    drawing,
    history,
    memory,
    room,
    screen,
    speed,
    stand_by,
    truth,
    wall,
    wires,
)
from tests.bench.figures import Figure, machine, table, versions

PARTS = ("engine", "bridge", "screen", "blinds", "memory")
ON_REQUEST = ("truth", "audit", "wall", "stand-by", "history", "room")


def _broker_missing() -> str:
    return "" if find_mosquitto() else "mosquitto"


LACKING = {
    "screen": screen.missing,
    "blinds": blinds.missing,
    **dict.fromkeys(("wall", "stand-by", "room"), _broker_missing),
}
"""What tells which program a part needs that is not there, empty if none."""
EVENTS = 10_000_000
DRAWING = Path(__file__).resolve().parents[2] / "docs" / "truth.svg"


def count(text: str) -> int:
    """A number of hands or rounds."""
    value = int(text)
    if value < 0:
        raise ValueError
    return value


def main(argv: Sequence[str]) -> int:
    """Runs the command; exit status 0 if every target was reached, 1 if not."""
    parser = ArgumentParser(
        prog="run bench",
        description="Measures the engine's time per observation beside PokerKit's per operation,"
        " how long the bridge takes beside a bare read of its port, what the dealer's screen and a"
        " table at rest take, the blinds screen in a browser, and the engine's memory over a very"
        " long evening. The part truth counts what the engine claims, asks and misses the worse"
        " the reading and the pressing are, and draws it. The part audit is what it costs to seal"
        " what is observed. The part stand-by is how long a site has no room once that which"
        " leads is killed. The part wall is from the wire to the room,"
        " and what of that one can't do without. The part history searches a large one,"
        " the part room is a thousand tables at once.",
    )
    parser.add_argument(
        "parts",
        nargs="*",
        metavar="PART",
        help=f"which of {', '.join(PARTS)} (default: all of these), {', '.join(ON_REQUEST)}",
    )
    parser.add_argument(
        "--hands",
        type=count,
        default=100_000,
        metavar="N",
        help="hands of the evening (default: %(default)s, some minutes)",
    )
    parser.add_argument(
        "--rounds", type=count, default=5, metavar="N", help="runs of each figure (%(default)s)"
    )
    parser.add_argument(
        "--nights",
        type=count,
        default=4,
        metavar="N",
        help=f"nights of {truth.HANDS} hands for each point of truth (%(default)s)",
    )
    parser.add_argument(
        "--svg",
        type=Path,
        default=DRAWING,
        metavar="PATH",
        help="where truth is drawn (docs/truth.svg)",
    )
    parser.add_argument(
        "--events",
        type=count,
        default=EVENTS,
        metavar="N",
        help="of the history (%(default)s, some minutes for each database)",
    )
    parser.add_argument(
        "--postgres", action="store_true", help="the history in PostgreSQL too, in a server of ours"
    )
    parser.add_argument(
        "--store",
        type=Path,
        metavar="PATH",
        help="where the history is kept, or is already: then it is only searched",
    )
    parser.add_argument(
        "--write", type=Path, metavar="FILE", help="the figures as a page of docs/, with the date"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    args = parser.parse_args(argv)
    for part in args.parts:
        if part not in (*PARTS, *ON_REQUEST):
            parser.error(f"no part {part!r}; there are {', '.join((*PARTS, *ON_REQUEST))}")
    parts = args.parts or PARTS
    library = open_library(Path(__file__).resolve().parents[2] / "config")
    for part, lacking in LACKING.items():
        if part in parts and (lacks := lacking()):
            parser.error(f"{part} is measured with {lacks}, which is missing")
    if args.postgres and (lacks := history.missing()):
        parser.error(f"--postgres needs {lacks}, which is missing")
    figures: list[Figure] = []
    for part in (*PARTS, *ON_REQUEST):
        if part in parts:
            figures += _measured(part, library, args)
    curves: list[truth.Curve] = []
    if "truth" in parts:
        curves = truth.measure(library, max(1, args.nights), progress=_say)
        args.svg.write_text(drawing.svg(curves))
    if args.json:
        told = {"machine": machine(), "figures": figures, "truth": curves}
        sys.stdout.write(msgspec.json.encode(told).decode() + "\n")
        return _status(figures)
    lines: list[str] = []
    if figures:
        measured = f"Measured by `./run bench {' '.join(argv)}` on {datetime.date.today()}."
        title = "# Figures for the room" if list(parts) == ["room"] else "# Figures"
        lines += [title, "", measured, "", f"On {machine()}: {versions()}.", ""]
        lines += table(figures)
    if curves:
        lines += truth.lines(curves)
    text = "".join(f"{line}\n" for line in lines)
    if args.write is not None:
        args.write.write_text(text)
    sys.stdout.write(text)
    return _status(figures)


def _measured(part: str, library: Library, args: argparse.Namespace) -> list[Figure]:
    rounds = max(1, args.rounds)
    match part:
        case "engine":
            return speed.measure(library, rounds)
        case "bridge":
            return wires.measure(rounds)
        case "screen":
            return screen.measure(rounds)
        case "blinds":
            return blinds.measure(1)
        case "memory":
            return _memory(library, args.hands)
        case "audit":
            return audit.measure(library, rounds)
        case "stand-by":
            return stand_by.measure(rounds)
        case "history":
            return history.measure(
                max(1, args.events), postgres=args.postgres, store=args.store, say=_say
            )
        case "room":
            return room.measure(rounds, _say)
        case "wall":
            return wall.measure(rounds)
        case _:  # truth, which is drawn
            return []


def _memory(library: Library, hands: int) -> list[Figure]:
    began = time.monotonic()

    def progress(done: int) -> None:
        spent = time.monotonic() - began
        sys.stderr.write(f"\r{done:,} of {hands:,} hands, {spent:.0f} s ")

    figures = memory.measure(library, hands, progress)
    sys.stderr.write("\n")
    return figures


def _say(what: str) -> None:
    sys.stderr.write(f"{what}\n")


def _status(figures: Sequence[Figure]) -> int:
    return 0 if all(figure.reached for figure in figures) else 1


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.stderr.write("\ninterrupted\n")
        sys.exit(130)
