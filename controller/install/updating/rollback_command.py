"""The command `cutcard rollback`."""

from __future__ import annotations

import json
import os
import signal
import socket
import sys
from collections.abc import Sequence
from pathlib import Path

from controller.install.backup.manifest import BackupError
from controller.install.updating.changed import has_newer_stores
from controller.install.updating.kept import FOLDER, Kept, Last
from controller.install.updating.locking import alone
from controller.install.updating.machine import Machine, MachineError
from controller.install.updating.steps import ROOT, UpdateError, Updater
from controller.install.updating.update_command import tell, wait_until_idle
from controller.process.arguments import ArgumentParser


def main(argv: Sequence[str]) -> int:
    """Runs the command; returns 0, 1 where it was not done, or 2 for a mistake in what was
    given."""
    args = _parser().parse_args(argv)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    signal.signal(signal.SIGHUP, signal.SIG_IGN)  # it goes on without whoever looked on
    if os.geteuid() != 0:
        return _fail("this needs root: sudo cutcard rollback", 2)
    kept = Kept(FOLDER)
    machine = Machine(kept.folder / "update.log", "")
    updater = Updater(machine, kept, tell, host=socket.gethostname())
    try:
        with alone(kept.folder):
            updater.recover()
            last = kept.last
            if last is None or last.how == "undone":
                return _fail("there is no update to go back from", 1)
            with_data = args.data or _needs_data(last)
            if not args.yes and not _is_wanted(last, with_data):
                return _fail("nothing was changed", 1)
            if last.how != "begun":
                wait_until_idle(0)
            updater.go_back(last, with_data=with_data)
    except (UpdateError, MachineError, BackupError) as error:
        return _fail(str(error), 1)
    except OSError as error:
        return _fail(f"{error.filename or kept.folder}: {error.strerror}", 1)
    done = {"version": last.since, "with_data": with_data}
    how = "with the data of then" if with_data else "and all data stays"
    sys.stdout.write(f"{json.dumps(done) if args.json else f'{last.since} is here again, {how}'}\n")
    return 0


def _needs_data(last: Last) -> bool:
    """Whether the version before can't do without the data of then. Raises BackupError."""
    if last.how == "begun":
        return last.with_data
    return has_newer_stores(Path(last.backup), ROOT)


def _is_wanted(last: Last, with_data: bool) -> bool:
    """Whether the person at the keyboard says so; True where nobody is there."""
    if not sys.stdin.isatty():
        return True
    sys.stdout.write(f"From {last.to} back to {last.since}.\n")
    if with_data:
        sys.stdout.write(
            "Its data comes back too; what was written since is moved to /var/backups.\n"
        )
    sys.stdout.write("Go back? [y/N] ")
    sys.stdout.flush()
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def _fail(text: str, status: int) -> int:
    sys.stderr.write(f"cutcard rollback: {text}\n")
    return status


def _parser() -> ArgumentParser:
    parser = ArgumentParser(
        prog="cutcard rollback",
        description="Undoes the last `cutcard update`: the version before comes back. The data "
        "stays unless that version can't read it: then the data of then comes back, and what was "
        "written since is moved to /var/backups.",
    )
    parser.add_argument(
        "--data", action="store_true", help="the data of then, whether it has to be or not"
    )
    parser.add_argument("--yes", action="store_true", help="don't ask whether it is wanted")
    parser.add_argument("--json", action="store_true", help="say what was done as JSON")
    return parser
