"""The command `cutcard replay`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import BinaryIO

from controller.arguments import ArgumentParser
from controller.books import Library, RulebookError, open_library
from controller.engine.engine import Engine
from controller.events import encode_event
from controller.replay.account import Account
from controller.replay.log import LogError, read_log
from controller.settings import config_dir


def main(argv: Sequence[str]) -> int:
    """Runs the command; returns its exit status: 0, or 2 when the log could not be read."""
    parser = ArgumentParser(
        prog="cutcard replay",
        description="Reads a table log and prints what the engine makes of it.",
    )
    parser.add_argument("log", metavar="LOG", help="a table log (JSON Lines); - is standard input")
    parser.add_argument(
        "--rulebook", metavar="ID", help="judge by this rule book (or TOML file) instead"
    )
    parser.add_argument("--json", action="store_true", help="print events as JSON Lines")
    args = parser.parse_args(argv)
    library = open_library(config_dir())
    try:
        if args.rulebook is not None:
            library.book(args.rulebook)
        if args.log == "-":
            _replay("-", sys.stdin.buffer, library, args.rulebook, as_json=args.json)
        else:
            with open(args.log, "rb") as log:  # noqa: PTH123 - a Path would not take fifos by name
                _replay(args.log, log, library, args.rulebook, as_json=args.json)
    except (LogError, RulebookError) as error:
        return _fail(str(error))
    except OSError as error:
        if isinstance(error, BrokenPipeError):
            raise
        return _fail(f"{error.filename or 'standard output'}: {error.strerror}")
    return 0


def _replay(
    name: str, log: BinaryIO, library: Library, rulebook: str | None, *, as_json: bool
) -> None:
    engine = Engine(library.book, rulebook)
    account = Account(library.texts)
    out = sys.stdout
    warnings: list[str] = []
    for number, observation in read_log(name, log, warnings):
        try:
            events = engine.observe(observation)
        except RulebookError as error:
            raise LogError(f"{name}: line {number}: {error}") from None
        for event in events:
            if as_json:
                out.write(encode_event(event).decode() + "\n")
            else:
                out.writelines(line + "\n" for line in account.tell(event))
    out.flush()
    for warning in warnings:
        sys.stderr.write(f"cutcard: warning: {warning}\n")


def _fail(fault: str) -> int:
    sys.stdout.flush()
    sys.stderr.write(f"cutcard: {fault}\n")
    return 2
