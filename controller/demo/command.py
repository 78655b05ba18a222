"""The command `cutcard demo`."""

from __future__ import annotations

import argparse
import asyncio
import os
import secrets
import sys
from collections.abc import Sequence

from controller.arguments import ArgumentParser
from controller.books import RulebookError, open_library
from controller.broker import BrokerError, RunningBroker, start_broker
from controller.demo.dealer import ERRORS
from controller.demo.show import SITE, TABLE, Plan, Show
from controller.observations import nearest
from controller.settings import config_dir


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
    except RulebookError as error:
        return _fail(str(error))
    plan = Plan(
        hands=args.hands,
        speed=args.speed,
        error=args.error,
        rulebook=args.rulebook,
        seed=secrets.randbits(32) if args.seed is None else args.seed,
        headless=args.headless or not _has_display(),
        web_port=args.web_port,
    )
    _say(f"seed {plan.seed}, rule book: {book.title}")
    if plan.headless and not args.headless:
        _say("there is no display here: going on without the dealer's window")
    broker = _start_broker(args.mqtt_port)
    try:
        tally = asyncio.run(Show(plan, library, broker, _say).run())
    finally:
        if broker is not None:
            broker.stop()
    _say(tally.summary())
    return 0 if tally.is_right else 1


def _start_broker(port: int) -> RunningBroker | None:
    try:
        broker = start_broker(SITE, [TABLE], port=port)
    except BrokerError as error:
        _say(f"{error}; going on without MQTT and without the room's pages")
        return None
    _say(f"MQTT at 127.0.0.1:{broker.port} ({broker.kind}); anyone on this machine may read")
    if broker.banner:
        _say(broker.banner)
    return broker


def _has_display() -> bool:
    return any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER"))


def _say(line: str) -> None:
    sys.stdout.write(f"demo: {line}\n")
    sys.stdout.flush()


def _fail(fault: str) -> int:
    sys.stderr.write(f"cutcard demo: {fault}\n")
    return 2


def _parser(rulebooks: list[str]) -> ArgumentParser:
    parser = ArgumentParser(
        prog="cutcard demo",
        description="A card room on this machine: a table made of software deals real hands, "
        "with a dealing error now and then.",
    )
    parser.add_argument("--headless", action="store_true", help="without the dealer's window")
    parser.add_argument(
        "--hands", type=_count, metavar="N", help="end after N hands (default: go on until Ctrl-C)"
    )
    parser.add_argument("--seed", type=int, help="the same hands and errors again")
    parser.add_argument(
        "--speed", type=_speed, default=1.0, metavar="X", help="times real time (default: 1)"
    )
    parser.add_argument(
        "--error", metavar="CODE", help=f"make it in every hand: {', '.join(ERRORS)}"
    )
    parser.add_argument(
        "--rulebook",
        metavar="ID",
        default="homepokertourney",
        help=f"one of {', '.join(rulebooks)}, or a TOML file (default: %(default)s)",
    )
    parser.add_argument("--mqtt-port", type=_port, default=0, metavar="PORT", help="0: a free one")
    parser.add_argument("--web-port", type=_port, default=0, metavar="PORT", help="0: a free one")
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
