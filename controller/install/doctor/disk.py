"""Where the table writes: room, the kind of disk, and what must not outlive a power cut."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from controller.install.doctor.check import Check, Probe, fail, ok, warn
from controller.install.doctor.system import System

LITTLE_MB, TOO_LITTLE_MB = 500, 50

_NETWORK = ("nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "ceph", "glusterfs", "fuse.sshfs")
_IN_MEMORY = ("tmpfs", "ramfs")


class Mount(Struct, frozen=True):
    """One line of the table of mounts."""

    source: str
    point: str
    kind: str
    is_read_only: bool


class Place(Struct, frozen=True):
    """The folder where something is written, or the nearest one that there is."""

    path: str
    mount: Mount | None
    free_mb: int
    free_files: int


def probes(system: System, journal: Path | None, keys: Path | None) -> list[Probe]:
    """What there is to check; without a table's settings only the root's disk."""
    found = [Probe("disk", lambda: [judge_root(place(system, Path("/")))])]
    if journal is not None:
        found.append(Probe("journal's disk", lambda: judge_journal(place(system, journal.parent))))
    if keys is not None:
        found.append(Probe("keys' disk", lambda: [judge_keys(place(system, keys))]))
    return found


def mounts(text: str) -> list[Mount]:
    """What /proc/self/mounts says; blanks in names stand there as \\040."""
    found = []
    for line in text.splitlines():
        words = [word.replace("\\040", " ") for word in line.split()]
        if len(words) >= 4:
            found.append(Mount(words[0], words[1], words[2], "ro" in words[3].split(",")))
    return found


def mount_of(path: str, there: Sequence[Mount]) -> Mount | None:
    """The mount that a path is on: the longest, and of the same the last."""
    best = None
    for mount in there:
        inside = path == mount.point or path.startswith(mount.point.rstrip("/") + "/")
        if inside and (best is None or len(mount.point) >= len(best.point)):
            best = mount
    return best


def place(system: System, folder: Path) -> Place:
    """What the folder is on."""
    there = folder.absolute()
    while not there.exists() and there != there.parent:
        there = there.parent
    real = os.path.realpath(there)
    room = os.statvfs(real)
    return Place(
        str(folder),
        mount_of(real, mounts(system.text("/proc/self/mounts") or "")),
        room.f_bavail * room.f_frsize >> 20,
        room.f_favail if room.f_files else 1 << 20,
    )


def judge_root(seen: Place) -> Check:
    """The disk that the system is on."""
    if seen.mount is not None and seen.mount.is_read_only:
        return fail(
            "disk",
            f"{seen.mount.source} can't be written: that is how worn-out cards end",
            "Look for I/O errors, and replace the card if there are any: sudo dmesg | grep -i mmc",
        )
    return _room("disk", seen)


def judge_journal(seen: Place) -> list[Check]:
    """The disk that has the journal."""
    name, mount = "journal's disk", seen.mount
    elsewhere = "Give [journal] path a folder on the machine's own disk: df -T /var/lib"
    if mount is None:
        return [_room(name, seen)]
    if mount.is_read_only:
        return [fail(name, f"{mount.point} can't be written", elsewhere)]
    if mount.kind in _NETWORK:
        return [
            fail(
                name,
                f"it is on a network ({mount.kind}), where locks and syncs can't be trusted",
                elsewhere,
            )
        ]
    if mount.kind in _IN_MEMORY:
        return [fail(name, f"it is in memory ({mount.kind}): a power cut empties it", elsewhere)]
    if mount.kind == "overlay":
        return [
            warn(
                name,
                "it is an overlay, which a power cut may empty",
                "Turn it off, or give [journal] path a disk of its own: "
                "sudo raspi-config nonint do_overlayfs 1",
            )
        ]
    return [_room(name, seen)]


def judge_keys(seen: Place) -> Check:
    """The folder of the running hand's key, which must not be found on a card."""
    kind = seen.mount.kind if seen.mount is not None else "unknown"
    if kind in _IN_MEMORY:
        return ok("keys' disk", f"{seen.path} is in memory ({kind})")
    return fail(
        "keys' disk",
        f"{seen.path} is on a disk ({kind}): whoever takes out the SD "
        "card can read the hand's cards",
        "Leave [journal] keys out (then it is /run/cutcard/keys), or name a folder in: df -t tmpfs",
    )


def _room(name: str, seen: Place) -> Check:
    kind = f", {seen.mount.kind}" if seen.mount is not None else ""
    free = f"{seen.free_mb / 1024:.1f} GB" if seen.free_mb >= 1024 else f"{seen.free_mb} MB"
    more = "Free some space: sudo apt-get clean && sudo journalctl --vacuum-size=100M"
    if seen.free_mb < TOO_LITTLE_MB or seen.free_files < 100:
        return fail(name, f"{free} free at {seen.path}: it is full", more)
    if seen.free_mb < LITTLE_MB:
        return warn(name, f"only {free} free at {seen.path}", more)
    return ok(name, f"{free} free at {seen.path}{kind}")
