"""The command `cutcard init`: finds the devices, asks a few questions, writes `table.toml`."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import termios
from collections.abc import Sequence
from getpass import getpass
from pathlib import Path

import msgspec
from msgspec import structs

from controller.files.settings import config_dir
from controller.files.toml_file import ConfigError
from controller.install import init_talk as talk
from controller.install.init_ask import AnswersEndedError, GivenError, NotWrittenError, Questions
from controller.install.init_file import Settings, text, unread, write, write_secret
from controller.install.init_roll import roll_call
from controller.process.arguments import ArgumentParser
from firmware_bridge.probe import NobodyThere


def main(argv: Sequence[str]) -> int:
    """Writes a table's settings; returns 0, 1 if nothing was written for a reason that may pass,
    2 for a mistake in what was given."""
    args = _parser().parse_args(argv)
    out = sys.stderr if args.json else sys.stdout

    def say(words: str) -> None:
        out.write(words)
        out.flush()

    asker = Questions(say, sys.stdin.readline, defaults=args.yes)
    try:
        _init(args, asker)
    except AnswersEndedError as error:
        return _fail(f"no answer to {str(error)!r}; --yes takes the defaults", 2)
    except (ConfigError, GivenError) as error:
        return _fail(str(error), 2)
    except NotWrittenError as error:
        return _fail(str(error), error.status)
    except OSError as error:
        return _fail(f"{args.file}: can't be written: {error.strerror}", 2)
    except KeyboardInterrupt:
        say("\nNothing was written.\n")
        raise
    return 0


def _init(args: argparse.Namespace, asker: Questions) -> None:
    path: Path = args.file
    if not path.absolute().parent.is_dir():
        raise NotWrittenError(f"{path.parent}: no such folder", 2)
    with tempfile.TemporaryFile(dir=path.absolute().parent):
        pass  # where nothing can be written nothing need be asked
    replace = _may_replace(path, args.replace, asker)
    found, troubles = roll_call(asker, args.ports)
    settings = talk.settings(
        asker,
        path,
        found,
        _given(args),
        rulebooks=sorted(book.stem for book in (config_dir() / "rulebooks").glob("*.toml")),
        runtime=_runtime(),
        terminal=sys.stdin.fileno() if sys.stdin.isatty() else None,
    )
    if not settings.devices:
        raise NotWrittenError("a table needs a device, and every one was left out")
    settings, secret = _password(asker, path, settings, given=args.password_file is not None)
    if blind := unread(settings):
        asker.tell(f"No antenna reads {', '.join(blind)}: there will be no findings from there.")
    if not asker.agree(f"Write {path}", default=True):
        raise NotWrittenError("nothing was written")
    warnings = _write(path, settings, secret, replace=replace)
    steps = _next(path, settings, secret)
    asker.tell(f"\n{path} is written. Next:")
    for step in steps:
        asker.tell(f"  {step}")
    for warning in warnings:
        if "[deck]" in warning:  # the first of the next steps puts that right
            continue
        asker.tell(f"Warning: {warning}")
    if args.json:
        sys.stdout.buffer.write(_report(path, settings, troubles, steps) + b"\n")


def _may_replace(path: Path, replace: bool, asker: Questions) -> bool:
    if not os.path.lexists(path) or replace:
        return replace
    if asker.defaults:
        raise NotWrittenError(f"{path} already exists; --replace overwrites it", 2)
    if not asker.agree(
        f"{path} already exists. Overwrite it",
        default=False,
        means="What it says now will be lost.",
    ):
        raise NotWrittenError(f"nothing was written: {path} stays as it is")
    return True


def _password(
    asker: Questions, path: Path, settings: Settings, *, given: bool
) -> tuple[Settings, tuple[Path, str] | None]:
    """The settings with the file of the password, and the file with what has to go into it."""
    if settings.room is None or given or asker.defaults:
        return settings, None
    file = path.absolute().with_suffix(".password")
    asker.tell(f"\nThe password goes into {file.name}, which only you can read.")
    prompt = f"Password of table-{settings.id} at the broker (not shown; empty: none): "
    password = _hidden(asker, prompt)
    if not password:
        return settings, None
    if file.exists() and not asker.agree(f"{file} already exists. Overwrite it", default=False):
        raise NotWrittenError(f"nothing was written: {file} stays as it is")
    if settings.places is not None:
        room = structs.replace(settings.room, password_file=file.name)
        settings = structs.replace(settings, room=room)
    return settings, (file, password)


def _hidden(asker: Questions, prompt: str) -> str:
    if sys.stdin.isatty():
        try:
            return getpass(prompt).strip()
        except EOFError:
            raise AnswersEndedError(prompt) from None
        except termios.error:
            pass
    return asker.ask("Password", "", str)


def _write(
    path: Path, settings: Settings, secret: tuple[Path, str] | None, *, replace: bool
) -> list[str]:
    if secret is not None:
        write_secret(*secret)
    try:
        return write(path, text(settings), os.environ, replace=replace).warnings()
    except BaseException:
        if secret is not None:
            secret[0].unlink(missing_ok=True)
        raise


def _next(path: Path, settings: Settings, secret: tuple[Path, str] | None) -> list[str]:
    if settings.places is not None:
        socket = path.absolute().parent / settings.places.socket
        return [
            f"cutcard deck enroll --config {path}    # which tag is which card",
            f"cutcard doctor --config {path}         # is everything as it should be?",
            f"cutcard table --config {path}          # the table",
            f"cutcard dealer --socket {socket}   # the dealer's screen",
        ]
    steps = [
        f"sudo cutcard deck enroll --config {path}    # which tag is which card",
        f"sudo cutcard doctor --config {path}         # is everything as it should be?",
        "sudo systemctl enable --now cutcard-table cutcard-dealer",
    ]
    if secret is not None:
        steps.insert(
            0,
            f"sudo install -D -m 600 {secret[0]} /etc/credstore/cutcard.mqtt-password "
            f"&& sudo rm {secret[0]}",
        )
    return steps


def _report(
    path: Path, settings: Settings, troubles: Sequence[NobodyThere], steps: Sequence[str]
) -> bytes:
    return msgspec.json.encode(
        {
            "file": str(path.absolute()),
            "table": settings.id,
            "seats": settings.seats,
            "devices": [
                {
                    "port": each.answer.port,
                    "reader": each.answer.manner.family.name,
                    "id": each.answer.id,
                    "firmware": each.answer.firmware,
                    "zones": each.zones,
                    "buttons": each.buttons,
                    "lamps": each.lamps,
                }
                for each in settings.devices
            ],
            "troubles": [{"port": each.port, "text": each.text} for each in troubles],
            "unread": unread(settings),
            "next": [step.partition("#")[0].rstrip() for step in steps],
        }
    )


def _given(args: argparse.Namespace) -> talk.Given:
    zones = {}
    for each in args.zones:
        port, equals, names = each.partition("=")
        if not equals:
            raise GivenError(f"--zones: {each[:60]!r} is not PORT=ZONES")
        zones[port] = names
    return talk.Given(
        id=args.id,
        seats=args.seats,
        blinds=args.blinds,
        rulebook=args.rulebook,
        board=args.board,
        screen=args.screen,
        broker=args.broker,
        site=args.site,
        ca_file=args.ca_file,
        password_file=args.password_file,
        zones=zones,
    )


def _runtime() -> Path | None:
    folder = os.environ.get("XDG_RUNTIME_DIR", "")
    return Path(folder) if folder and Path(folder).is_dir() else None


def _fail(why: str, status: int) -> int:
    sys.stderr.write(f"cutcard init: {why}\n")
    return status


def _parser() -> ArgumentParser:
    parser = ArgumentParser(
        prog="cutcard init",
        description="Finds the readers, asks a few questions and writes a table's "
        "settings. Anything given as an option is not asked.",
    )
    parser.add_argument(
        "file", nargs="?", type=Path, default=Path("table.toml"), metavar="FILE", help="%(default)s"
    )
    parser.add_argument("--yes", action="store_true", help="take all defaults, ask nothing")
    parser.add_argument("--replace", action="store_true", help="overwrite FILE if it exists")
    parser.add_argument(
        "--json",
        action="store_true",
        help="print what was written as one line of JSON; messages for people go to standard error",
    )
    parser.add_argument("--id", help="the table's name")
    parser.add_argument("--seats", metavar="N", help="how many, or which: '1 2 4 5'")
    parser.add_argument("--blinds", metavar="SMALL/BIG")
    parser.add_argument("--rulebook", metavar="ID", help="or a TOML file")
    parser.add_argument(
        "--board", metavar="N", help="antennas for the board: 1, or 5 (one per card)"
    )
    parser.add_argument(
        "--screen", metavar="WHERE", help="service: run by systemd; here: both started by hand"
    )
    parser.add_argument("--broker", metavar="HOST[:PORT]", help="or none, or 'this machine'")
    parser.add_argument("--site", metavar="NAME", help="the table's site at the broker")
    parser.add_argument("--ca-file", metavar="FILE", help="turns TLS on")
    parser.add_argument("--password-file", metavar="FILE", help="its first line is the password")
    parser.add_argument(
        "--ports",
        action="append",
        metavar="GLOB",
        help="use only this port (default: all serial ports); may be repeated",
    )
    parser.add_argument(
        "--zones",
        action="append",
        default=[],
        metavar="PORT=ZONES",
        help="the zones of a device, in the order of its antennas, such as "
        "'seat/1-9 board burn muck'",
    )
    return parser
