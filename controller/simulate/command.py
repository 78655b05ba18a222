"""The command `cutcard simulate`."""

from __future__ import annotations

import argparse
import asyncio
import os
import secrets
import signal
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from controller.broker.own import BrokerError
from controller.contract.messages import DEFAULT_SITE, ROOM_STATE
from controller.demo.access import PASSWORD, USER, AccessError, given_broker
from controller.process.arguments import ArgumentParser
from controller.simulate.numbers import number
from controller.simulate.progress import Line
from controller.simulate.report import Report, as_json, as_text
from controller.simulate.run import (
    Plan,
    Progress,
    SimulateError,
    Simulation,
    processes_for,
    summary,
)
from controller.simulate.tournaments import command as tournaments

MOST_TABLES = 5_000
MOST_PAGES = 12
"""A room has no more streams for one who is signed in."""


def main(argv: Sequence[str]) -> int:
    """Runs the simulation; returns 0, 1 if anything was lost or somebody was not there to the end,
    2 for a mistake in what was asked."""
    if "--tournament" in argv:
        return tournaments.main(argv)
    args = _parser().parse_args(argv)
    try:
        plan = _plan(args)
        line = Line()
        report = asyncio.run(
            _until_signalled(plan, lambda now: line.show(summary(now, plan.seconds)))
        )
        line.end()
    except (AccessError, BrokerError, SimulateError) as error:
        sys.stderr.write(f"cutcard simulate: {error}\n")
        return 2
    if args.json:
        sys.stdout.write(msgspec.json.encode(as_json(report)).decode() + "\n")
    else:
        sys.stdout.write(as_text(report))
    return 0 if report.is_right else 1


async def _until_signalled(plan: Plan, show: Callable[[Progress], None]) -> Report:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for signalled in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        loop.add_signal_handler(signalled, stop.set)
    return await Simulation(plan, show).run(stop)


def _plan(args: argparse.Namespace) -> Plan:
    broker = None
    if args.broker is not None:
        access = given_broker(args.broker, args.credentials, os.environ)
        broker = (access.table, access.room)
    elif args.credentials is not None:
        raise SimulateError("--credentials is for --broker")
    if args.room is None and (args.join or args.cookie_file):
        raise SimulateError("--join and --cookie-file are for --room")
    try:
        ROOM_STATE.name(args.site)
    except ValueError as error:
        raise SimulateError(f"--site {error}") from None
    return Plan(
        tables=args.tables,
        rate=args.rate,
        seconds=args.seconds,
        errors=args.errors,
        seed=secrets.randbits(32) if args.seed is None else args.seed,
        site=args.site,
        processes=args.processes or processes_for(args.tables, args.rate),
        pages=args.pages,
        broker=broker,
        room="" if args.no_room else args.room,
        cookie=_cookie(args.cookie_file),
        join=args.join or "",
    )


def _cookie(path: Path | None) -> str:
    if path is None:
        return ""
    try:
        cookie = path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise SimulateError(f"--cookie-file {path}: {error}") from None
    if "=" not in cookie or "\n" in cookie:
        raise SimulateError(f"--cookie-file {path}: not one line NAME=VALUE")
    return cookie


def _parser() -> ArgumentParser:
    parser = ArgumentParser(
        prog="cutcard simulate",
        description="Many tables, each with its own connection to a broker, play "
        "real hands with an error now and then. Reports what was "
        "lost, how long alerts take to reach the floor's page, and "
        "what the broker and the room need for it. Exit status 1: "
        "something was lost.",
    )
    parser.add_argument("--tables", type=number(1, MOST_TABLES, int), default=100, metavar="N")
    parser.add_argument(
        "--rate",
        type=number(0.01, 1_000),
        default=2.0,
        metavar="R",
        help="messages per second from each table (default: 2)",
    )
    parser.add_argument(
        "--seconds", type=number(1, 1_000_000), default=60.0, metavar="S", help="default: 60"
    )
    parser.add_argument(
        "--errors",
        type=number(0, 1_000),
        default=50.0,
        metavar="PER_1000_HANDS",
        help="dealing errors (default: 50)",
    )
    parser.add_argument("--seed", type=int, help="repeat the same hands and errors")
    parser.add_argument(
        "--broker", metavar="HOST:PORT", help="use this broker instead of starting one"
    )
    parser.add_argument(
        "--credentials",
        type=Path,
        metavar="FILE",
        help="for --broker: a TOML file with user and password, or with "
        f"both in [table] and [room]; {{table}} in a user is the "
        f"table's name (default: ${USER} and ${PASSWORD})",
    )
    parser.add_argument(
        "--site", default=DEFAULT_SITE, help="the site whose topics are used (default: %(default)s)"
    )
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--room", metavar="URL", help="use the room whose pages are at this address")
    where.add_argument("--no-room", action="store_true", help="test the broker only")
    parser.add_argument("--join", metavar="CODE", help="sign in at --room with this code")
    parser.add_argument(
        "--cookie-file",
        type=Path,
        metavar="FILE",
        help="a file with NAME=VALUE, the cookie of a session at --room",
    )
    parser.add_argument(
        "--pages",
        type=number(1, MOST_PAGES, int),
        default=3,
        metavar="N",
        help="number of floor pages open (default: %(default)s)",
    )
    parser.add_argument(
        "--processes",
        type=number(1, 64, int),
        metavar="N",
        help="number of generator processes (default: one per 1,000 messages a second)",
    )
    parser.add_argument("--json", action="store_true", help="print the report as one JSON object")
    parser.add_argument(
        "--tournament",
        action="store_true",
        help="whole tournaments instead; see cutcard simulate --tournament --help",
    )
    return parser
