"""The command `cutcard simulate --tournament`."""

from __future__ import annotations

import secrets
import sys
from collections.abc import Sequence

import msgspec

from controller.contract.observations import nearest
from controller.files.settings import config_dir
from controller.library.books import open_library
from controller.process.arguments import ArgumentParser
from controller.simulate.numbers import number
from controller.simulate.progress import Line
from controller.simulate.tournaments.many import Asked, Summary, as_json, as_text, in_a_line, play

LEAST, MOST = 9, 2_000
RUNS = 10


def main(argv: Sequence[str]) -> int:
    """Plays tournaments; returns 0, 1 if anything was not as it has to be, 2 for a mistake in what
    was asked."""
    args = _parser().parse_args(argv)
    library = open_library(config_dir())
    if args.book != "all" and args.book not in library.ids:
        known = ["all", *library.ids]
        sys.stderr.write(
            f"cutcard simulate: there is no book '{args.book[:40]}'"
            f"{nearest(args.book[:40], known)}: {', '.join(known)}\n"
        )
        return 2
    books = tuple(library.ids) if args.book == "all" else (args.book,)
    runs = RUNS * len(books) if args.runs is None and args.seconds is None else args.runs
    seed = secrets.randbits(31) if args.seed is None else args.seed
    line = Line()
    done = play(
        Asked(books, args.players, seed, runs, args.seconds),
        library.book,
        lambda so_far: line.show(in_a_line(so_far)),
    )
    line.end()
    sys.stdout.write(_told(done, as_object=args.json))
    return 0 if done.is_right else 1


def _told(done: Summary, *, as_object: bool) -> str:
    return msgspec.json.encode(as_json(done)).decode() + "\n" if as_object else as_text(done)


def _parser() -> ArgumentParser:
    parser = ArgumentParser(
        prog="cutcard simulate --tournament",
        description="Whole tournaments by chance, from the draw of seats to the winner, with the "
        "room's own rules of who sits where, moves, breaks and is out. After each hand it is "
        "checked that no chip is lost, nobody misses a blind by a move, and all else that a book "
        "promises. Exit status 1: something was not so; it is told with its seed.",
    )
    parser.add_argument("--tournament", action="store_true", help="tournaments, not tables")
    parser.add_argument(
        "--players", type=number(LEAST, MOST, int), default=27, metavar="N", help="default: 27"
    )
    parser.add_argument("--book", default="all", metavar="ID", help="a rule book, or all (default)")
    parser.add_argument(
        "--runs",
        type=number(1, 1_000_000, int),
        metavar="N",
        help=f"so many in all (default: {RUNS} by each book)",
    )
    parser.add_argument(
        "--seconds", type=number(1, 1_000_000), metavar="S", help="for this long, or until --runs"
    )
    parser.add_argument("--seed", type=int, help="the first one's; each book has each seed")
    parser.add_argument("--json", action="store_true", help="print the report as one JSON object")
    return parser
