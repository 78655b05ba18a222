"""The command `cutcard restore`."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from zipfile import BadZipFile, ZipFile

from controller.install.backup.asking import VARIABLE, passphrase
from controller.install.backup.manifest import BackupError, Manifest, read_manifest
from controller.install.backup.places import under
from controller.install.backup.placing import unfinished
from controller.install.backup.restoring import ASIDE, Restored, restore
from controller.process.arguments import ArgumentParser
from controller.storage.passphrase import PassphraseError

_AT_REST = ("", "inactive", "failed")
SERVICES = (
    "cutcard-table",
    "cutcard-dealer",
    "cutcard-room",
    "cutcard-archive",
    "cutcard-broker",
)


def main(argv: Sequence[str]) -> int:
    """Runs the command; returns 0, 1 where it could not be brought back, or 2 for a mistake in what
    was given."""
    args = _parser().parse_args(argv)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))  # and tidy up
    try:
        told = _look(args.file)
        if args.list:
            _list(told, as_json=args.json)
            return 0
        for each in unfinished(under(args.root, ASIDE)):
            _fail(f"one was cut short before: what was here then is in {each}", 0)
        running = _running() if args.root == Path("/") else []
        if running:
            return _fail(f"stop these first: sudo systemctl stop {' '.join(running)}", 2)
        words = None
        if told.locked and not args.without_decks:
            words = passphrase(args.passphrase_file, twice=False)
            if words is None:
                return _fail(
                    f"decks are in it: give --passphrase-file, {VARIABLE} or --without-decks", 2
                )
        if not args.yes and not _is_wanted(told):
            return _fail("nothing was changed", 1)
        now_ms = time.time_ns() // 1_000_000
        done = restore(args.file, args.root, passphrase=words, now_ms=now_ms)
    except PassphraseError as error:
        return _fail(str(error), 2)
    except BackupError as error:
        return _fail(str(error), 1)
    _say(done, as_json=args.json)
    return 0


def _look(file: Path) -> Manifest:
    try:
        with ZipFile(file) as archive:
            return read_manifest(archive, file)
    except BadZipFile:
        raise BackupError(f"{file}: this is no backup of cutcard, or it is damaged") from None
    except OSError as error:
        raise BackupError(f"{file}: {error.strerror}") from None


def _running() -> list[str]:
    if shutil.which("systemctl") is None:
        return []
    # One that crashes again and again is not active, and begins while we work.
    asked = ("systemctl", "show", "--property", "ActiveState", "--value")
    states = {
        name: subprocess.run([*asked, name], capture_output=True, text=True, check=False).stdout
        for name in SERVICES
    }
    return [name for name, state in states.items() if state.strip() not in _AT_REST]


def _is_wanted(told: Manifest) -> bool:
    """Whether the person at the keyboard says so; True where nobody is there."""
    if not sys.stdin.isatty():
        return True
    sys.stdout.write(f"{_when(told)}, of {told.host}: {len(told.files)} files\n")
    sys.stdout.write("What is here now is moved aside. Bring it back? [y/N] ")
    sys.stdout.flush()
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def _when(told: Manifest) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(told.made_ms / 1_000))


def _list(told: Manifest, *, as_json: bool) -> None:
    if as_json:
        fields = {
            "made_ms": told.made_ms,
            "host": told.host,
            "cutcard": told.cutcard,
            "files": [each.path for each in told.files],
            "decks": [each.path for each in told.decks],
            "without": list(told.without),
            "missing": list(told.missing),
        }
        sys.stdout.write(json.dumps(fields) + "\n")
        return
    sys.stdout.write(f"{_when(told)}, of {told.host}, by cutcard {told.cutcard}\n")
    sys.stdout.writelines(f"{each.path}\n" for each in told.files)
    sys.stdout.writelines(f"{each.path} (locked)\n" for each in told.decks)
    sys.stdout.writelines(f"{path} (not in it)\n" for path in (*told.without, *told.missing))


def _say(done: Restored, *, as_json: bool) -> None:
    told = done.manifest
    if as_json:
        fields = {
            "files": [each.path for each in told.files],
            "aside": None if done.aside is None else str(done.aside),
            "hands": done.hands,
        }
        sys.stdout.write(json.dumps(fields) + "\n")
        return
    sys.stdout.write(f"{len(told.files)} files are back, as they were on {_when(told)}\n")
    if done.aside is not None:
        sys.stdout.write(f"what was here before is now in {done.aside}\n")
    if done.hands is not None:
        sys.stdout.write(
            f"the table's next hand is number {done.hands + 1:,}: none is given a second time\n"
        )
    for path in (*told.without, *told.missing):
        sys.stdout.write(f"not in the backup: {path}\n")
    sys.stdout.write("now: sudo systemctl start what this machine runs, then sudo cutcard doctor\n")


def _fail(text: str, status: int) -> int:
    sys.stderr.write(f"cutcard restore: {text}\n")
    return status


def _parser() -> ArgumentParser:
    parser = ArgumentParser(
        prog="cutcard restore",
        description="Brings back what `cutcard backup` has saved, on this machine or a fresh one. "
        "What is there is moved to /var/backups. Run it as root, with the services stopped.",
    )
    parser.add_argument("file", type=Path, metavar="FILE", help="the backup")
    parser.add_argument("--list", action="store_true", help="only say what is in it")
    parser.add_argument(
        "--without-decks", action="store_true", help="leave the decks as they are on this machine"
    )
    parser.add_argument(
        "--passphrase-file", type=Path, metavar="FILE", help="of the decks, instead of asking"
    )
    parser.add_argument("--yes", action="store_true", help="don't ask whether it is wanted")
    parser.add_argument(
        "--root", type=Path, default=Path("/"), metavar="DIR", help="where that system's files are"
    )
    parser.add_argument("--json", action="store_true", help="say what was done as JSON")
    return parser
