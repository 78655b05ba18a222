"""The command `cutcard audit`."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import msgspec

from controller.archive.kept import ArchiveError, KeptHead
from controller.archive.opening import open_archive
from controller.audit import checking, opening, trace
from controller.audit.opening import OpeningError
from controller.audit.trace import TraceError
from controller.contract.observations import encode
from controller.files.toml_file import ConfigError
from controller.process.arguments import ArgumentParser
from controller.process.memory import keep_memory_private
from controller.room.commands.here import room_here
from controller.storage.auditor_key import KeyTextError, public_text, read_secret, secret_text
from controller.storage.database import DatabaseError
from controller.storage.journal_reader import (
    JournalReader,
    copy_journal,
    last_opening,
    note_opening,
)
from controller.storage.sealing import Opener, new_secret

_DIFFERS = 1
_KEY_FILE = """\
# The private half of an auditor's key, made by `cutcard audit keygen`. Whoever has it can read
# every hand that was sealed to it. Keep it away from the tables, and a copy of it in a safe.
"""
DESCRIPTION = """\
The auditor's side of a table's journal. What the antennas really saw is sealed there to a public
key, and the room keeps how far each journal had come when a hand ended.
"""
EPILOG = """\
Exit status: 0; 1 where something does not fit; 2 for what can't be done, in one line.

examples, on the auditor's own machine:
  cutcard audit keygen auditor.key
  cutcard audit check --journal copy.sqlite --heads heads.jsonl
  cutcard audit open --key auditor.key --journal copy.sqlite --hand 217 >hand.jsonl
  cutcard replay hand.jsonl
"""


def main(argv: Sequence[str]) -> int:
    """Runs the command; returns its exit status: 0, 1 where something does not fit, or 2."""
    args = _parser().parse_args(argv)
    try:
        status: int = args.run(args)
    except (
        ArchiveError,
        ConfigError,
        DatabaseError,
        KeyTextError,
        OpeningError,
        TraceError,
    ) as error:
        return _fail(str(error))
    except OSError as error:
        if isinstance(error, BrokenPipeError):
            raise
        return _fail(f"{error.filename or 'standard output'}: {error.strerror}")
    return status


def _keygen(args: argparse.Namespace) -> int:
    secret = new_secret()
    descriptor = os.open(args.file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(_KEY_FILE + secret_text(secret) + "\n")
        file.flush()
        os.fsync(file.fileno())
    sys.stdout.write(public_text(Opener(secret).public) + "\n")
    sys.stdout.flush()
    sys.stderr.write(
        f"The line above is [audit] key in each table's settings; keep {args.file} elsewhere.\n"
    )
    return 0


def _open(args: argparse.Namespace) -> int:
    keep_memory_private()
    opener = Opener(_secret(args.key))
    first, last = (args.hand, args.hand) if args.hand else (args.first, args.last)
    with closing(JournalReader(args.journal)) as reader:
        hands = opening.chosen(reader.sealed_hands(), first, last)
        entry = trace.opening(
            args.journal.resolve(),
            reader.name,
            lines=reader.lines().last,
            boxes=reader.sealed().last,
            hands=(hands.first, hands.last),
        )
    _leave_trace(args.key, args.journal, entry)
    with closing(JournalReader(args.journal)) as reader:
        hands = opening.chosen(reader.sealed_hands(), hands.first, hands.last)
        found = opening.opened(reader, hands, opener)
    sys.stdout.writelines(encode(observation).decode() + "\n" for observation in found.log)
    sys.stdout.flush()
    for fault in found.faults:
        sys.stderr.write(f"cutcard audit open: {fault}\n")
    return _DIFFERS if found.faults else 0


def _secret(key: Path) -> bytes:
    """Raises KeyTextError for a file that holds no private key or that others can read."""
    text = key.read_text(encoding="utf-8", errors="replace")
    if key.stat().st_mode & 0o077:
        raise KeyTextError(f"{key}: others can read it: chmod 600 {key}")
    try:
        return read_secret(text)
    except KeyTextError as error:
        raise KeyTextError(f"{key}: {error}") from None


def _leave_trace(key: Path, journal: Path, entry: trace.Opening) -> None:
    trace.leave(key, entry)
    try:
        note_opening(journal, trace.follows(entry, last_opening(journal)))
    except DatabaseError as error:
        sys.stderr.write(f"cutcard audit open: no trace in the journal itself: {error}\n")


def _check(args: argparse.Namespace) -> int:
    heads = _heads_of(args)
    with closing(JournalReader(args.journal)) as reader:
        lines, boxes = checking.wanted(reader.name, heads)
        verdict = checking.check(reader.name, reader.lines(lines), reader.sealed(boxes), heads)
    if args.json:
        sys.stdout.write(msgspec.json.encode(verdict).decode() + "\n")
    else:
        sys.stdout.writelines(f"{line}\n" for line in checking.words(verdict))
    return 0 if verdict.is_whole else _DIFFERS


def _list_heads(args: argparse.Namespace) -> int:
    heads = _kept_heads(args)
    sys.stdout.writelines(msgspec.json.encode(head).decode() + "\n" for head in heads)
    return 0


def _heads_of(args: argparse.Namespace) -> Sequence[KeptHead]:
    if args.heads is None:
        return _kept_heads(args)
    name = "standard input" if str(args.heads) == "-" else str(args.heads)
    text = sys.stdin.buffer.read() if str(args.heads) == "-" else args.heads.read_bytes()
    heads = []
    for number, line in enumerate(text.splitlines(), 1):
        try:
            heads.append(msgspec.json.decode(line, type=KeptHead))
        except (msgspec.MsgspecError, UnicodeDecodeError):
            raise ConfigError(
                f"{name}: line {number}: not a line of `cutcard audit heads`"
            ) from None
    return heads


def _kept_heads(args: argparse.Namespace) -> Sequence[KeptHead]:
    store = args.store
    if store is None:
        history = room_here(args.config).history
        if history is None:
            raise ConfigError("[history] store: 'none' keeps no history")
        store = history.store
    with closing(open_archive(store, read_only=True)) as archive:
        return archive.heads(args.table)


def _copy(args: argparse.Namespace) -> int:
    copy_journal(args.journal, args.file)
    return 0


def _fail(text: str) -> int:
    sys.stdout.flush()
    sys.stderr.write(f"cutcard audit: {text}\n")
    return 2


def _parser() -> ArgumentParser:
    parser = ArgumentParser(
        prog="cutcard audit",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(required=True, metavar="keygen|copy|heads|check|open")
    journal = ArgumentParser(add_help=False)
    journal.add_argument("--journal", type=Path, required=True, metavar="FILE")
    room = ArgumentParser(add_help=False)
    room.add_argument("--config", type=Path, metavar="FILE", help="the room's settings")
    room.add_argument("--store", help="the room's history itself: a file, or postgresql://…")
    room.add_argument("--table", help="only this table")

    keygen = commands.add_parser("keygen", help="make a pair of keys")
    keygen.add_argument("file", type=Path, metavar="FILE", help="where the private half goes")
    keygen.set_defaults(run=_keygen)

    copy = commands.add_parser(
        "copy", parents=[journal], help="copy a journal, also while the table is running"
    )
    copy.add_argument("file", type=Path, metavar="COPY")
    copy.set_defaults(run=_copy)

    heads = commands.add_parser(
        "heads", parents=[room], help="print what the room has heard of journals, as JSON Lines"
    )
    heads.set_defaults(run=_list_heads)

    check = commands.add_parser(
        "check",
        parents=[journal, room],
        help="say whether a journal is as the room has heard of it",
    )
    check.add_argument(
        "--heads", type=Path, metavar="FILE", help="what `heads` printed; - is standard input"
    )
    check.add_argument("--json", action="store_true", help="print one JSON object")
    check.set_defaults(run=_check)

    opening_ = commands.add_parser(
        "open",
        parents=[journal],
        help="print the true table log of hands that are over",
        description="Prints what the antennas really saw, as a table log that `cutcard replay` "
        "reads. It leaves a trace beside the key and in the journal, before it opens anything. A "
        "hand that is not over is never opened.",
    )
    opening_.add_argument(
        "--key", type=Path, required=True, metavar="FILE", help="the private half"
    )
    opening_.add_argument("--hand", type=_number, metavar="N", help="only this hand")
    opening_.add_argument("--from", dest="first", type=_number, metavar="N")
    opening_.add_argument("--to", dest="last", type=_number, metavar="N")
    opening_.set_defaults(run=_open)
    return parser


def _number(text: str) -> int:
    if not text.isascii() or not text.isdecimal() or len(text) > 9 or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text[:20]!r} is not a hand's number")
    return int(text)
