"""`cutcard archive`: keeps the room's history as a process of its own."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import msgspec

from controller.archive.kept import ArchiveError, DamagedError
from controller.archive.opening import open_archive
from controller.archive.running import Archiving, HistoryOptions
from controller.broker.client import PASSWORD_VARIABLE, Endpoint
from controller.files.toml_file import ConfigError
from controller.process.arguments import ArgumentParser
from controller.process.notify import Notifier
from controller.room.settings import RoomConfig, load_room_config, password

_USER_MISTAKE = 2
_SAY_S = 10.0
_NICE = 10
"""What was can wait for what is."""


def main(argv: Sequence[str]) -> int:
    """Run the command; returns the exit status: 0, 1 where the store can't be opened, or 2 for
    a mistake of the user's."""
    arguments = _parser().parse_args(argv)
    try:
        config = load_room_config(arguments.config)
        history = _history(config)
        with suppress(DamagedError):  # it is set aside then
            open_archive(history.store).close()
        endpoint = _endpoint(config, arguments.password_file)
        with suppress(PermissionError):  # under systemd, whose unit says Nice=
            os.nice(_NICE)
        asyncio.run(_run(endpoint, config.site, history, as_json=arguments.json))
    except (ConfigError, ArchiveError) as error:
        sys.stderr.write(f"cutcard archive: {error}\n")
        return _USER_MISTAKE if isinstance(error, ConfigError) else 1
    return 0


def _history(config: RoomConfig) -> HistoryOptions:
    if config.history is None:
        raise ConfigError("[history] store: 'none' keeps no history")
    return config.history


async def _run(endpoint: Endpoint, site: str, history: HistoryOptions, *, as_json: bool) -> None:
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    archiving = Archiving(endpoint, site, history, share=True)
    archiving.start()
    notifier = Notifier(os.environ)
    notifier.ready()
    try:
        while not stop.is_set():
            _say(archiving, as_json=as_json)
            notifier.alive()
            with suppress(TimeoutError):
                async with asyncio.timeout(notifier.keepalive_s or _SAY_S):
                    await stop.wait()
    finally:
        notifier.stopping()
        await archiving.close()
        _say(archiving, as_json=as_json)


def _say(archiving: Archiving, *, as_json: bool) -> None:
    health = archiving.health()
    if as_json:
        line = json.dumps({"connected": archiving.connected, **msgspec.structs.asdict(health)})
    else:
        line = (
            f"archive: {health.kept:,} events kept, {health.waiting:,} waiting,"
            f" {health.missing:,} gaps open, {health.lost:,} given up"
            f"{'' if archiving.connected else '; no broker'}"
            f"{'; ' + health.fault if health.fault else ''}"
        )
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _endpoint(config: RoomConfig, password_file: Path | None) -> Endpoint:
    given = os.environ.get(PASSWORD_VARIABLE)
    user, file = config.broker.user, config.password_file
    if (own := config.history_login) is not None:
        user, file = own.user, own.password_file or file
    file = password_file or file
    if file is not None and (given is None or password_file is not None):
        given = password(file)
    ca_file = None if config.ca_file is None else str(config.ca_file)
    return Endpoint(config.broker.host, config.broker.port, user, given, ca_file)


def _parser() -> argparse.ArgumentParser:
    parser = ArgumentParser(
        prog="cutcard archive",
        description="Keeps the history of a room: every event of every table. "
        "Several may run at once, on one machine or more, with one "
        "PostgreSQL: they share the work, and what one misses another "
        "asks the tables for. The room's settings say where "
        "everything is, with [history] room_writes = false.",
    )
    parser.add_argument("--config", type=Path, metavar="FILE", help="the room's settings")
    parser.add_argument("--password-file", type=Path, help="file whose first line is the password")
    parser.add_argument("--json", action="store_true", help="print its state as lines of JSON")
    return parser
