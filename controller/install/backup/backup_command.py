"""The command `cutcard backup`."""

from __future__ import annotations

import argparse
import json
import signal
import socket
import sys
import time
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

from controller.install.backup.asking import VARIABLE, passphrase
from controller.install.backup.manifest import BackupError, Manifest
from controller.install.backup.rotation import (
    forget_oldest,
    fresh_name,
    is_on_another_disk,
    say_last,
)
from controller.install.backup.saving import save
from controller.process.arguments import ArgumentParser
from controller.room.last_backup import LastBackup
from controller.storage.passphrase import PassphraseError


def main(argv: Sequence[str]) -> int:
    """Runs the command; returns 0, 1 where it could not be saved, or 2 for a mistake in what was
    given."""
    parser = _parser()
    args = parser.parse_args(argv)
    if (args.file is None) == (args.to is None):
        parser.error("give a FILE, or a folder by --to")
    if args.keep is not None and args.to is None:
        parser.error("--keep is for --to")
    if args.mounted and args.to is None:
        parser.error("--mounted is for --to")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))  # and tidy up
    host = socket.gethostname()
    target = args.file or args.to / fresh_name(host, time.time())
    try:
        if args.mounted and not is_on_another_disk(args.to):
            return _fail(f"{args.to}: nothing is mounted there", 1)
        words = passphrase(args.passphrase_file, twice=True) if args.with_decks else None
        if args.with_decks and words is None:
            parser.error(f"--with-decks needs a passphrase: --passphrase-file or {VARIABLE}")
        made = save(
            args.root,
            target,
            cutcard=version("cutcard"),
            now_ms=time.time_ns() // 1_000_000,
            host=host,
            passphrase=words,
            tell=_tell if sys.stderr.isatty() else lambda _path: None,
        )
        size = target.stat().st_size
        say_last(args.root, LastBackup(made.made_ms, size, str(target.absolute())))
        gone = forget_oldest(args.to, host, args.keep, target) if args.keep is not None else []
    except PassphraseError as error:
        return _fail(str(error), 2)
    except BackupError as error:
        return _fail(str(error), 1)
    except OSError as error:
        return _fail(f"{error.filename or target}: {error.strerror}", 1)
    _say(made, target, size, gone, as_json=args.json)
    for line in made.missing:
        _fail(f"not saved: {line}", 1)
    return 1 if made.missing else 0


def _say(made: Manifest, target: Path, size: int, gone: Sequence[Path], *, as_json: bool) -> None:
    if as_json:
        fields = {
            "file": str(target),
            "bytes": size,
            "files": [each.path for each in made.files],
            "decks": [each.path for each in made.decks],
            "without": list(made.without),
            "missing": list(made.missing),
            "forgotten": list(map(str, gone)),
        }
        sys.stdout.write(json.dumps(fields) + "\n")
        return
    sys.stdout.write(f"{target}: {len(made.files)} files, {size / 1e6:.1f} MB\n")
    if made.decks:
        sys.stdout.write(f"with {len(made.decks)} decks, which only the passphrase opens\n")
    for path in made.without:
        sys.stdout.write(f"without {path}: it says which card each tag is (--with-decks)\n")
    for each in gone:
        sys.stdout.write(f"forgotten: {each}\n")
    sys.stdout.write("this machine's passwords and keys are in it: keep it where only you are\n")


def _tell(path: str) -> None:
    sys.stderr.write(f"\r\x1b[K{path}" if path else "\n")
    sys.stderr.flush()


def _fail(text: str, status: int) -> int:
    sys.stderr.write(f"cutcard backup: {text}\n")
    return status


def _parser() -> ArgumentParser:
    parser = ArgumentParser(
        prog="cutcard backup",
        description="Saves what this machine keeps into one file, while it runs: settings, "
        "passwords, the table's journal, the room's clock, people and history. Run it as root.",
        epilog="Which card each tag is stays out of it unless --with-decks. `cutcard restore` "
        "brings it back, on this machine or another one.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("file", nargs="?", type=Path, metavar="FILE", help="the file to write")
    parser.add_argument(
        "--to", type=Path, metavar="FOLDER", help="instead: a file with a name of its own in there"
    )
    parser.add_argument(
        "--keep", type=_count, metavar="N", help="with --to: only this machine's newest N stay"
    )
    parser.add_argument(
        "--mounted",
        action="store_true",
        help="with --to: only where another disk than the system's is mounted",
    )
    parser.add_argument(
        "--with-decks", action="store_true", help="the decks too, locked with a passphrase"
    )
    parser.add_argument(
        "--passphrase-file", type=Path, metavar="FILE", help="read it here instead of asking"
    )
    parser.add_argument(
        "--root", type=Path, default=Path("/"), metavar="DIR", help="where that system's files are"
    )
    parser.add_argument("--json", action="store_true", help="say what was saved as JSON")
    return parser


def _count(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 10_000:
        raise argparse.ArgumentTypeError(f"'{text[:20]}' is not a number from 1 to 10000")
    return int(text)
