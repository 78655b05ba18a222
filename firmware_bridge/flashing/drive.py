"""A Pico in BOOTSEL mode: the drive that its boot ROM shows, and how a UF2 file gets there.

The drive has a file INFO_UF2.TXT with a line `Board-ID: RPI-RP2` (RP2040) or `Board-ID: RP2350`,
and its label is the same: a FAT16 volume that stores nothing but takes UF2 blocks, and reboots into
what it was given once it has all of them (RP2040 data sheet, *The RPI-RP2 Drive*).
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from msgspec import Struct

from firmware_bridge.flashing.chips import BY_ID, CHIPS, Chip

INFO = "INFO_UF2.TXT"
NAME = "CUTCARD.UF2"
MOUNTS = Path("/proc/mounts")
LABELS = Path("/dev/disk/by-label")
_TYPES = {"vfat", "fuseblk"}
_LONGEST_INFO = 4096


class DriveError(Exception):
    """The drive is not that of a Pico, or can't be mounted or written; says what to do."""


class Drive(Struct, frozen=True):
    """A drive where a Pico waits for a UF2 file."""

    path: Path
    chip: Chip


def at(path: Path) -> Drive:
    """The drive in that folder. Raises DriveError where there is no Pico's."""
    try:
        with (path / INFO).open("rb") as file:
            text = file.read(_LONGEST_INFO).decode("ascii", "replace")
    except OSError as error:
        raise DriveError(f"{path}: {INFO}: {error.strerror}: no Pico in BOOTSEL mode") from None
    said = dict(line.partition(":")[::2] for line in text.splitlines())
    board_id = said.get("Board-ID", "").strip()
    if board_id not in BY_ID:
        raise DriveError(f"{path}: this is a {board_id or 'nameless board'}, not a Pico or Pico 2")
    return Drive(path, BY_ID[board_id])


def mounted(mounts: Path = MOUNTS) -> list[Drive]:
    """The drives of Picos that are mounted now."""
    found = []
    for line in mounts.read_text("utf-8", "replace").splitlines():
        _, place, kind, *_ = line.split(" ")
        path = Path(place.encode().decode("unicode_escape"))  # a space is \040 there
        if kind in _TYPES and (path / INFO).is_file():
            with suppress(DriveError):  # another kind of board
                found.append(at(path))
    return found


def unmounted(labels: Path = LABELS) -> list[Path]:
    """The devices with a Pico's label, mounted or not."""
    return [labels / chip.label for chip in CHIPS if (labels / chip.label).exists()]


@contextmanager
def mount(device: Path) -> Iterator[Drive]:
    """Mount a device as long as it is needed, as root or by udisks. Raises DriveError."""
    if os.geteuid() == 0:
        with tempfile.TemporaryDirectory(prefix="cutcard-", ignore_cleanup_errors=True) as folder:
            _call("mount", "-t", "vfat", str(device.resolve()), folder)
            try:
                yield at(Path(folder))
            finally:
                subprocess.run(["umount", "--lazy", folder], check=False, capture_output=True)
        return
    said = _call("udisksctl", "mount", "--no-user-interaction", "-b", str(device.resolve()))
    place = said.partition(" at ")[2].strip().rstrip(".")
    yield at(Path(place))


def write(drive: Drive, data: bytes) -> None:
    """Write the file and wait until the drive has all of it. Raises DriveError.

    The board may go as soon as it has the last block: that is no fault.
    """
    sent = 0
    try:
        handle = os.open(drive.path / NAME, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
        try:
            while sent < len(data):
                sent += os.write(handle, data[sent : sent + 65536])
            os.fsync(handle)
        finally:
            os.close(handle)
    except OSError as error:
        if sent < len(data) or (drive.path / INFO).exists():
            raise DriveError(f"{drive.path}: {error.strerror}: it could not be written") from None


def _call(*command: str) -> str:
    try:
        done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=30)
    except FileNotFoundError:
        raise DriveError(
            f"the Pico's drive is not mounted and {command[0]} is not installed: mount it, and say "
            "where with --drive"
        ) from None
    except subprocess.TimeoutExpired:
        raise DriveError(f"{' '.join(command)} takes longer than 30 s") from None
    if done.returncode:
        why = (done.stderr.strip().splitlines() or [f"status {done.returncode}"])[-1]
        raise DriveError(f"{' '.join(command)}: {why}")
    return done.stdout
