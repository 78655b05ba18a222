"""`cutcard pico flash`: one UF2 file for a board, onto its drive, until it says hello."""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from msgspec import Struct, structs

from controller.install.pico import stock
from controller.install.pico.boards import Board
from controller.install.pico.coming_up import come_up, equipment, has, misfit
from firmware_bridge.flashing import drive as drives
from firmware_bridge.flashing.chips import BY_BOARD, CHIPS, Chip
from firmware_bridge.flashing.drive import Drive, DriveError
from firmware_bridge.flashing.firmware import Base, for_board, read_base
from firmware_bridge.search import every_port

LOOKS_EVERY_S = 0.2
OTHERS_MOUNT_S = 2.0
"""So long a desktop may take to mount a drive whose label is there."""


class GivenError(ValueError):
    """What was given can't be done; nothing has been written."""


class Told(Struct, omit_defaults=True):
    """What `--json` says."""

    board: str
    source: str
    made_for: str = ""
    micropython: str = ""
    frozen: bool = False
    micropython_sha256: str = ""
    uf2_sha256: str = ""
    size: int = 0
    written: str = ""
    port: str = ""
    firmware: str = ""
    id: str = ""
    zones: int | None = None
    buttons: int | None = None
    lamps: int | None = None


def flash(board: Board, args: argparse.Namespace, say: Callable[[str], None]) -> tuple[int, Told]:
    """Do it; return the exit status and what became of it.

    Raises GivenError, Uf2Error or DriveError, and OSError where a file can't be read or written.
    """
    told = Told(board.label, board.source)
    say(f"Pico {board.label}: {equipment(*board.counts)}, from {board.source}")
    if args.output is not None or (args.dry_run and args.drive is None):
        chip = BY_BOARD[args.board] if args.board else _of_file(args) or CHIPS[0]
        data = _made(board, chip, args, told, say)
        if args.dry_run:
            say("nothing was written")
        else:
            _write_whole(args.output, data)
            told.written = str(args.output)
            say(f"written to {args.output}")
        return 0, told
    with _drive(args, board, say) as found:
        if args.board and found.chip.board != args.board:
            raise GivenError(f"{found.path}: a {found.chip.called} waits there, no {args.board}")
        data = _made(board, found.chip, args, told, say)
        if args.dry_run:
            say(f"nothing was written to {found.path}")
            return 0, told
        before = every_port()
        drives.write(found, data)
        told.written = str(found.path)
        say(f"written to {found.path}; waiting until Pico {board.label} is up")
    said = asyncio.run(come_up(before, args.wait, port=args.port))
    if said is None:
        say(
            f"Pico {board.label} did not say hello within {args.wait:g} s. With GPIO 0 at ground "
            "it doesn't. Otherwise unplug it, plug it in again and run `cutcard pico hello`."
        )
        return 1, told
    told = structs.replace(
        told,
        port=said.port,
        firmware=said.firmware,
        id=said.id,
        zones=said.zones,
        buttons=said.buttons,
        lamps=said.lamps,
    )
    say(f"Pico {board.label} is up at {said.port}: {said.firmware}, {has(said)}, id {said.id}")
    if wrong := misfit(said, board.counts):
        say(f"this is not what was written: {wrong}. Is another board plugged in?")
        return 1, told
    return 0, told


def _of_file(args: argparse.Namespace) -> Chip | None:
    return None if args.micropython is None else read_base(args.micropython).chip


def _made(
    board: Board, chip: Chip, args: argparse.Namespace, told: Told, say: Callable[[str], None]
) -> bytes:
    """The UF2 file for a board with that chip."""
    base = _base(chip, args.micropython)
    with_it = "with the firmware in it" if base.frozen else "as it is given away"
    try:
        known = "built here" if base.frozen else stock.verdict(base)
    except ValueError as error:
        raise GivenError(f"{args.micropython}: {error}") from None
    say(f"MicroPython {base.info.version} for a {chip.called}, {with_it} ({known})")
    data = for_board(base, board.wiring)
    told.made_for, told.micropython, told.frozen = chip.board, base.info.version, base.frozen
    told.micropython_sha256 = base.sha256
    told.uf2_sha256, told.size = hashlib.sha256(data).hexdigest(), len(data)
    return data


def _base(chip: Chip, given: Path | None) -> Base:
    if given is not None:
        base = read_base(given)
        if base.chip is not chip:
            raise GivenError(
                f"{given}: it is for a {base.chip.called}, and this is a {chip.called}"
            )
        return base
    folders = stock.caches()
    files = [stock.built_file(chip, folder) for folder in folders]
    if built := [file for file in files if file.is_file()]:
        return read_base(max(built, key=lambda file: file.stat().st_mtime))
    raise GivenError(
        f"no MicroPython for a {chip.called} in {' or '.join(map(str, folders))}. "
        f"Either `cutcard pico build {chip.board}`, or download {stock.file_name(chip)} from "
        f"{stock.page(chip)} and say --micropython FILE"
    )


def _write_whole(file: Path, data: bytes) -> None:
    fresh = file.with_name(f"{file.name}.new")
    fresh.write_bytes(data)
    fresh.replace(file)


@contextmanager
def _drive(args: argparse.Namespace, board: Board, say: Callable[[str], None]) -> Iterator[Drive]:
    """The drive of the Pico that waits in BOOTSEL mode; waits for one."""
    if args.drive is not None:
        yield drives.at(args.drive)
        return
    until = time.monotonic() + args.wait
    asked = False
    while True:
        there = drives.mounted()
        devices = [] if there else drives.unmounted()
        if len(there) + len(devices) > 1:
            raise GivenError("more than one Pico is in BOOTSEL mode: leave one, or say --drive")
        if there:
            yield there[0]
            return
        if devices:
            with ExitStack() as stack:
                yield _mounted(devices[0], stack)
            return
        if not asked:
            say(f"hold BOOTSEL on Pico {board.label} while you plug it in; waiting for its drive")
            asked = True
        if time.monotonic() >= until:
            raise DriveError(f"no Pico in BOOTSEL mode came within {args.wait:g} s")
        time.sleep(LOOKS_EVERY_S)


def _mounted(device: Path, stack: ExitStack) -> Drive:
    """The drive at that device, mounted as long as the stack is open. A desktop may do it at the
    same time: then it is mounted and could not be mounted here. Raises DriveError."""
    try:
        return stack.enter_context(drives.mount(device))
    except DriveError:
        until = time.monotonic() + OTHERS_MOUNT_S
        while not (there := drives.mounted()):
            if time.monotonic() >= until:
                raise
            time.sleep(LOOKS_EVERY_S)
        return there[0]
