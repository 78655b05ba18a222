"""The command `cutcard update`."""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import signal
import socket
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from controller.install.doctor.pages import is_address
from controller.install.updating.bundle import PACKAGES, Bundle, BundleError, open_bundle
from controller.install.updating.busy import why_busy
from controller.install.updating.following import FollowError, Following, table_and_room
from controller.install.updating.kept import FOLDER, Kept
from controller.install.updating.locking import alone
from controller.install.updating.machine import Machine, MachineError
from controller.install.updating.steps import ROOT, WATCHED_S, BusyError, UpdateError, Updater
from controller.process.arguments import ArgumentParser, duration
from controller.room.offered import Offered

KEYS = (Path("/etc/cutcard/bundles.pub"), Path("/usr/share/cutcard/bundles.pub"))
ROOM = Path("/etc/cutcard/room.env")
USUAL_PAGES = "http://127.0.0.1:8080/"
_PATIENCE_S = 3_600.0
_LOOK_S = 1.0


class NotUsableError(Exception):
    """What was given can't be used; one line says why."""


def main(argv: Sequence[str]) -> int:
    """Runs the command; returns 0, 1 where it was not done, or 2 for a mistake in what was
    given."""
    parser = _parser()
    args = parser.parse_args(argv)
    if (args.file is None) == (not args.follow):
        parser.error("give a FILE, or --follow")
    if args.check and args.follow:
        parser.error("--check is for a FILE")
    if args.room is not None and not is_address(args.room):
        parser.error(f"--room {args.room!r} is not http://HOST:PORT/")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    signal.signal(signal.SIGHUP, signal.SIG_IGN)  # it goes on without whoever looked on
    try:
        key = _key(args.key)
        if args.check:
            return _say(args.json, "fine", open_bundle(args.file, key).version)
        return _change(args, key)
    except (NotUsableError, BundleError) as error:
        return _fail(str(error), 2)
    except (UpdateError, MachineError, FollowError) as error:
        return _fail(str(error), 1)
    except OSError as error:
        return _fail(f"{error.filename or args.file}: {error.strerror}", 1)


def _change(args: argparse.Namespace, key: str) -> int:
    if os.geteuid() != 0:
        raise NotUsableError("this needs root: sudo cutcard update FILE")
    kept = Kept(FOLDER)
    pages = "" if args.follow else args.room or (USUAL_PAGES if ROOM.exists() else "")
    machine = Machine(kept.folder / "update.log", pages)
    updater = Updater(machine, kept, tell, host=socket.gethostname(), watched_s=args.watch)
    with alone(kept.folder):
        updater.check_whole()
        how = _follow if args.follow else _update
        return how(args, key, machine, kept, updater)


def _update(
    args: argparse.Namespace, key: str, machine: Machine, kept: Kept, updater: Updater
) -> int:
    bundle = open_bundle(args.file, key)
    installed = machine.installed()
    here = installed.get("cutcard")
    if here is None:
        raise NotUsableError("cutcard is not installed by packages here: docs/packages.md")
    is_here = bundle.manifest.made_for == machine.made_for()
    is_room = "cutcard-room" in installed
    if not is_here and not (is_room and upstream(bundle.version) == upstream(here)):
        hint = f"; this room offers it to tables once it has {upstream(bundle.version)} itself"
        raise NotUsableError(
            f"{args.file} is for {bundle.manifest.made_for}, and here is {machine.made_for()}"
            + hint * is_room
        )
    if is_here and machine.is_newer(here, bundle.version):
        raise NotUsableError(
            f"{args.file} has {bundle.version}, and here is the newer {here}: "
            "sudo cutcard rollback goes back to the version before"
        )
    result = "offered" if not is_here else "same"
    if is_here and bundle.version != here:
        _bring(updater, bundle, waits=args.wait)
        result = "updated"
    if is_room:
        kept.offer(args.file, offer_of(bundle), bundle.made_for)
    return _say(args.json, result, bundle.version)


def _follow(
    args: argparse.Namespace, key: str, machine: Machine, kept: Kept, updater: Updater
) -> int:
    table, named = table_and_room()
    room = args.room or named
    if room is None:
        raise NotUsableError("this table's [broker] names no room: give --room http://room:8080/")
    following = Following(room, machine, kept, table)
    coming = following.what_comes()
    if coming is None:
        return _say(args.json, "same", machine.installed().get("cutcard", ""))
    with following.turn() as holder:
        if holder:
            return _say(args.json, "waits", coming.version)
        file = following.fetch(coming)
        try:
            bundle = open_bundle(file, key)
            if bundle.version != coming.version or bundle.manifest.made_for != machine.made_for():
                raise FollowError(f"{room} has another bundle than it says")
            _bring(updater, bundle, waits=args.wait)
        finally:
            file.unlink(missing_ok=True)
    return _say(args.json, "updated", coming.version)


def _bring(updater: Updater, bundle: Bundle, *, waits: bool) -> None:
    """Does it, once nobody minds. Raises UpdateError."""
    wait_until_idle(_PATIENCE_S if waits else 0)
    updater.update(bundle)


def wait_until_idle(patience_s: float) -> None:
    """Waits for so long. Raises BusyError."""
    end = time.monotonic() + patience_s
    told = ""
    while why := why_busy(ROOT):
        if time.monotonic() >= end:
            raise BusyError(f"not now: {why}")
        if why != told:
            tell(f"waiting: {why}")
            told = why
        time.sleep(_LOOK_S)


def upstream(version: str) -> str:
    """A package's version without the Debian that it is for."""
    return version.partition("+deb")[0]


def offer_of(bundle: Bundle) -> Offered:
    """What the room says of a bundle."""
    with bundle.file.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return Offered(bundle.version, bundle.file.stat().st_size, digest)


def _key(given: Path | None) -> str:
    for each in (given,) if given else KEYS:
        try:
            return each.read_text("ascii")
        except FileNotFoundError:
            continue
        except (OSError, UnicodeDecodeError):
            raise NotUsableError(f"{each}: it can't be read") from None
    known = str(given) if given else " or ".join(map(str, KEYS))
    raise NotUsableError(f"no public key to check it with in {known}: give --key FILE")


def tell(line: str) -> None:
    """A step, to whoever looks on."""
    with suppress(OSError):  # who has gone away
        sys.stderr.write(f"{line}\n")
        sys.stderr.flush()


def _say(as_json: bool, result: str, version: str) -> int:
    words = {
        "fine": f"whole, and signed: {version}",
        "same": f"{version} is here already",
        "updated": f"{version} is here now. Back again: sudo cutcard rollback",
        "offered": f"the tables may have {version} now",
        "waits": f"{version} is there; another table has its turn",
    }
    text = json.dumps({"result": result, "version": version}) if as_json else words[result]
    sys.stdout.write(f"{text}\n")
    return 0


def _fail(text: str, status: int) -> int:
    sys.stderr.write(f"cutcard update: {text}\n")
    return status


def _parser() -> ArgumentParser:
    parser = ArgumentParser(
        prog="cutcard update",
        description="Brings this machine to the version of a bundle: checks who has signed it, "
        "saves everything, installs it, and watches it. If anything is worse than before, the old "
        "version comes back with its data. Not while a hand is played or a clock runs.",
        epilog="A room offers the bundle to its tables, which take it one after another, between "
        f"hands. Packages: {', '.join(PACKAGES)}.",
    )
    parser.add_argument("file", nargs="?", type=Path, metavar="FILE", help="the bundle, a zip")
    parser.add_argument(
        "--follow", action="store_true", help="instead: take the version that the room offers"
    )
    parser.add_argument("--key", type=Path, metavar="FILE", help="the public key, if not the usual")
    parser.add_argument("--check", action="store_true", help="only check the file")
    parser.add_argument(
        "--wait",
        action="store_true",
        help="wait up to an hour until nobody plays and no clock runs",
    )
    parser.add_argument(
        "--watch",
        type=duration,
        default=WATCHED_S,
        metavar="TIME",
        help="how long the new version is watched (1m)",
    )
    parser.add_argument("--room", metavar="URL", help="the address of the room's pages")
    parser.add_argument("--json", action="store_true", help="say what was done as JSON")
    return parser
