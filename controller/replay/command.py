"""The command `cutcard replay`."""

from __future__ import annotations

import sys
from argparse import Namespace, RawDescriptionHelpFormatter
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import BinaryIO

from controller.contract.events import Event, encode_events
from controller.engine.engine import Engine
from controller.files.settings import config_dir
from controller.files.toml_file import ConfigError
from controller.library.books import Library, open_library
from controller.library.languages import languages
from controller.process.arguments import ArgumentParser
from controller.replay.account import open_account
from controller.replay.capture import is_capture, play_capture
from controller.replay.log import LogError, read_log
from controller.replay.printing import fit

DESCRIPTION = """\
Reads a table log, or a capture of a table's wires, and prints an account of its hands, to be read
aloud in a dispute: who sat where and posted what, the streets, every action, each irregularity
with what the rule book says about it and what to do, and who won what. Times are minutes and
seconds since the hand began. Cards that stayed face down are never named; in a capture the cards'
faces have been swapped.
"""
EPILOG = """\
The same log and rule book always give the same account. Exit status: 0 when the log could be
read; otherwise 2, with one line that names the file, the line and the fault.

examples:
  cutcard replay hand.jsonl
  cutcard replay hand.jsonl --rulebook uk-tda | lpr
  cutcard replay hand.jsonl --language de
  cutcard replay - --json <hand.jsonl
"""


def main(argv: Sequence[str]) -> int:
    """Runs the command; returns its exit status: 0, or 2 when the log could not be read."""
    english = open_library(config_dir())
    parser = ArgumentParser(
        prog="cutcard replay",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "log", metavar="LOG", help="a table log or a capture (JSON Lines); - is standard input"
    )
    parser.add_argument(
        "--rulebook",
        metavar="ID",
        help="judge by this rule book, or the one in a TOML file, instead "
        f"of the log's own: {', '.join(english.ids)}",
    )
    parser.add_argument(
        "--language",
        default="en",
        metavar="ID",
        help=f"language of the account: {', '.join(languages(config_dir()))} (default: en)",
    )
    parser.add_argument(
        "--json", action="store_true", help="print the events instead, one JSON object a line"
    )
    args = parser.parse_args(argv)
    try:
        library = english
        if args.language != "en":
            library = open_library(config_dir(), args.language)
        if args.rulebook is not None:
            library.book(args.rulebook)
        if args.log == "-":
            _replay("-", sys.stdin.buffer, library, args)
        else:
            with open(args.log, "rb") as log:  # noqa: PTH123 - a Path would not take fifos by name
                _replay(args.log, log, library, args)
    except (LogError, ConfigError) as error:
        return _fail(str(error))
    except OSError as error:
        if isinstance(error, BrokenPipeError):
            raise
        return _fail(f"{error.filename or 'standard output'}: {error.strerror}")
    return 0


def _replay(name: str, log: BinaryIO, library: Library, args: Namespace) -> None:
    engine = Engine(library.book, args.rulebook)
    warnings: list[str] = []
    if args.json:
        write_events(name, log, engine, sys.stdout.buffer, warnings)
    else:
        account, out = open_account(library, config_dir(), args.language), sys.stdout
        for events in _events(name, log, engine, warnings):
            out.writelines(fit(line, out.encoding) + "\n" for line in account.tell(events))
        out.writelines(fit(line, out.encoding) + "\n" for line in account.end())
    sys.stdout.flush()
    for warning in warnings:
        sys.stderr.write(f"cutcard: warning: {warning}\n")


def write_events(
    name: str, log: BinaryIO, engine: Engine, out: BinaryIO, warnings: list[str]
) -> None:
    """Writes what follows from each line of a log, one JSON object a line. Raises `LogError`, after
    what came before the fault."""
    for events in _events(name, log, engine, warnings):
        out.write(encode_events(events))


def _events(
    name: str, log: BinaryIO, engine: Engine, warnings: list[str]
) -> Iterator[Sequence[Event]]:
    """What follows from each line."""
    first = log.readline()
    lines = chain([first] if first else [], log)
    if is_capture(first):
        yield from play_capture(name, lines, engine, warnings)
        return
    for number, observation in read_log(name, lines, warnings):
        try:
            yield engine.observe(observation)
        except ConfigError as error:
            raise LogError(f"{name}: line {number}: {error}") from None


def _fail(fault: str) -> int:
    sys.stdout.flush()
    sys.stderr.write(f"cutcard: {fault}\n")
    return 2
