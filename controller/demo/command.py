"""The command `cutcard demo`."""

from __future__ import annotations

import argparse
import asyncio
import os
import secrets
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

import msgspec

from controller.broker.own import BrokerError, start_broker
from controller.contract.events import Event, encode_event
from controller.contract.observations import nearest
from controller.demo.access import PASSWORD, USER, Access, AccessError, given_broker
from controller.demo.control import ControlError
from controller.demo.desk import NoTableError
from controller.demo.errors import ERRORS
from controller.demo.show import SITE, TABLE, Audience, Plan, Ready, Show, ShowError
from controller.demo.tally import Tally
from controller.files.settings import config_dir
from controller.files.toml_file import ConfigError
from controller.library.books import Library, open_library
from controller.process.arguments import ArgumentParser
from controller.replay.account import open_account
from controller.replay.printing import fit


def main(argv: Sequence[str]) -> int:
    """Runs the demo; returns 0, 1 if the table missed an error or raised a false alarm, 2 for
    a mistake in what was asked."""
    library = open_library(config_dir())
    args = _parser(library.ids).parse_args(argv)
    if args.error is not None and args.error not in ERRORS:
        known = nearest(args.error, list(ERRORS))
        return _fail(f"the dealer does not know the error '{args.error}'{known}")
    try:
        book = library.book(args.rulebook)
    except ConfigError as error:
        return _fail(str(error))
    plan = Plan(
        hands=args.hands,
        speed=args.speed,
        error=args.error,
        rulebook=_absolute(args.rulebook),
        seed=secrets.randbits(32) if args.seed is None else args.seed,
        headless=args.headless or not _has_display(),
        people=args.people,
        web_port=args.web_port,
        control_port=args.control_port,
    )
    voice = JsonLines() if args.json else Plain(library)
    voice.say(f"seed {plan.seed}, rule book: {book.title}")
    if plan.headless and not args.headless:
        voice.say("no display here: going on without the dealer's window")
    try:
        tally = asyncio.run(_run(plan, library, args, voice))
    except (AccessError, BrokerError, ControlError, NoTableError, ShowError) as error:
        return _fail(str(error))
    voice.say(tally.summary())
    return 0 if tally.is_right else 1


async def _run(plan: Plan, library: Library, args: argparse.Namespace, voice: Audience) -> Tally:
    if args.broker is not None:
        access = given_broker(args.broker, args.credentials, os.environ)
        voice.say(f"MQTT at {access.where}")
        return await Show(plan, library, access, None, voice).run()
    own = start_broker(SITE, [TABLE], port=args.mqtt_port)
    access = Access(own.tables[TABLE], own.room, own.banner)
    anyone = "read and write; install mosquitto to have this protected" if own.banner else "read"
    voice.say(f"MQTT at {access.where} ({own.kind}): anyone on this machine may {anyone}")
    return await Show(plan, library, access, own, voice).run()


class Plain:
    """Tells people, on standard output."""

    def __init__(self, library: Library) -> None:
        """`library` names findings, books and rules."""
        self._account = open_account(library, config_dir())

    def say(self, line: str) -> None:
        """One line."""
        _write(sys.stdout, f"demo: {line}\n")

    def event(self, event: Event) -> None:
        """What the table says, in poker's words."""
        lines = self._account.tell_one(event)
        _write(sys.stdout, "".join(fit(line, sys.stdout.encoding) + "\n" for line in lines))

    def ready(self, ready: Ready) -> None:
        """Nothing: it has been said line by line."""


class JsonLines:
    """Tells programs, on standard output; people read standard error."""

    def say(self, line: str) -> None:
        """One line for people."""
        _write(sys.stderr, f"demo: {line}\n")

    def event(self, event: Event) -> None:
        """The event as it is."""
        _write(sys.stdout, encode_event(event).decode() + "\n")

    def ready(self, ready: Ready) -> None:
        """The first line."""
        fields = {"ready": True, **msgspec.structs.asdict(ready)}
        _write(sys.stdout, msgspec.json.encode(fields).decode() + "\n")


def _absolute(rulebook: str) -> str:
    """A rule book as the table finds it, which runs in a folder of its own."""
    return str(Path(rulebook).resolve()) if rulebook.endswith(".toml") else rulebook


def _has_display() -> bool:
    return any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER"))


def _write(stream: TextIO, text: str) -> None:
    stream.write(text)
    stream.flush()


def _fail(fault: str) -> int:
    sys.stderr.write(f"cutcard demo: {fault}\n")
    return 2


def _parser(rulebooks: list[str]) -> ArgumentParser:
    parser = ArgumentParser(
        prog="cutcard demo",
        description="A card room on this machine: a simulated table deals real "
        "hands, with a dealing error now and then.",
    )
    parser.add_argument("--headless", action="store_true", help="without the dealer's window")
    parser.add_argument(
        "--hands", type=_count, metavar="N", help="stop after N hands (default: run until Ctrl-C)"
    )
    parser.add_argument("--seed", type=int, help="repeat the same hands and errors")
    parser.add_argument(
        "--speed",
        type=_speed,
        default=1.0,
        metavar="X",
        help="how many times as fast as real time (default: 1)",
    )
    parser.add_argument(
        "--error", metavar="CODE", help=f"make this error in every hand: {', '.join(ERRORS)}"
    )
    parser.add_argument(
        "--people",
        action="store_true",
        help="the players forget: presses are missing or late, amounts are not told (the control "
        "page says how often)",
    )
    parser.add_argument(
        "--rulebook",
        metavar="ID",
        default="homepokertourney",
        help=f"one of {', '.join(rulebooks)}, or a TOML file (default: %(default)s)",
    )
    parser.add_argument(
        "--mqtt-port", type=_port, default=0, metavar="PORT", help="0 picks a free one"
    )
    parser.add_argument(
        "--web-port", type=_port, default=0, metavar="PORT", help="0 picks a free one"
    )
    parser.add_argument(
        "--control-port", type=_port, default=0, metavar="PORT", help="0 picks a free one"
    )
    parser.add_argument(
        "--broker", metavar="HOST:PORT", help="use this broker instead of starting one"
    )
    parser.add_argument(
        "--credentials",
        type=Path,
        metavar="FILE",
        help="for --broker: a TOML file with user and password, or with "
        f"both in [table] and [room] (default: ${USER} and ${PASSWORD})",
    )
    parser.add_argument(
        "--json",
        action="store_true",
        help="print where everything is as one line of JSON, then each event as one",
    )
    return parser


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number of hands")
    return int(text)


def _speed(text: str) -> float:
    try:
        speed = float(text)
    except ValueError:
        speed = 0.0
    if not 0.1 <= speed <= 100:
        raise argparse.ArgumentTypeError(f"'{text}' is not a speed from 0.1 to 100")
    return speed


def _port(text: str) -> int:
    if not text.isdecimal() or int(text) > 65535:
        raise argparse.ArgumentTypeError(f"'{text}' is not a port: 0 to 65535")
    return int(text)
