"""The command `cutcard table`."""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import sys
from collections.abc import Coroutine, Sequence
from contextlib import suppress
from pathlib import Path

from controller.files.settings import config_dir
from controller.files.toml_file import ConfigError
from controller.library.books import open_library
from controller.process.arguments import ArgumentParser
from controller.process.memory import give_memory_back, keep_memory_private
from controller.process.notify import Notifier
from controller.storage.database import DatabaseError, UnfitError
from controller.table.alone import NotAloneError, alone
from controller.table.composition import make_table
from controller.table.config import TableConfig, load_table_config, with_port
from controller.table.refusing import refuse


def main(argv: Sequence[str]) -> int:
    """Runs the table's service until SIGINT or SIGTERM; returns 0, 1 for what may pass by itself
    (no journal can be written, another process has the table), or 2 for a mistake in what was
    given.

    With the journal of a newer version a service stays, and its screens say so."""
    args = _parser().parse_args(argv)
    keep_memory_private()
    try:
        config = load_table_config(args.config, os.environ)
        if args.port is not None:
            config = with_port(config, args.port)
        for warning in config.warnings():
            _say(f"warning: {warning}")
        with alone(config.keys):
            return _serve(config, args.speed)
    except (ConfigError, DatabaseError, NotAloneError) as error:
        sys.stderr.write(f"cutcard table: {error}\n")
        return 2 if isinstance(error, ConfigError) else 1


def _serve(config: TableConfig, speed: float) -> int:
    try:
        asyncio.run(_run(config, speed))
    except UnfitError as error:
        sys.stderr.write(f"cutcard table: {error}\n")
        if os.environ.get("NOTIFY_SOCKET"):
            asyncio.run(_until_ended(refuse(config, error, Notifier(os.environ))))
        return 2
    return 0


async def _run(config: TableConfig, speed: float) -> None:
    process = make_table(
        config,
        open_library(config_dir(), config.table.language),
        say=_say,
        notifier=Notifier(os.environ),
        speed=speed,
    )
    give_memory_back()
    _say(f"table {config.table.id}, screens at {config.socket}")
    await _until_ended(process.run())


async def _until_ended(what: Coroutine[None, None, None]) -> None:
    running = asyncio.create_task(what, name="table")
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, running.cancel)
    try:
        await running
    except asyncio.CancelledError:
        return


def _say(line: str) -> None:
    with suppress(OSError):  # a log that can't be written does not stop the table
        os.write(sys.stdout.fileno(), f"table: {line}\n".encode())


def _parser() -> ArgumentParser:
    parser = ArgumentParser(
        prog="cutcard table", description="The service of one table, which watches the deal."
    )
    parser.add_argument(
        "--config", type=Path, required=True, metavar="FILE", help="the table's TOML file"
    )
    parser.add_argument(
        "--port", metavar="DEVICE", help="use this instead of the first port's device"
    )
    parser.add_argument(
        "--speed",
        type=_speed,
        default=1.0,
        metavar="X",
        help="run the table's time X times as fast, for simulations",
    )
    return parser


def _speed(text: str) -> float:
    try:
        speed = float(text)
    except ValueError:
        speed = 0.0
    if not 0.1 <= speed <= 100:
        raise argparse.ArgumentTypeError(f"'{text}' is not a speed from 0.1 to 100")
    return speed
