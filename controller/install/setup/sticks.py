"""A USB stick for the backups: which there are, and how it is mounted. Pure."""

from __future__ import annotations

from pathlib import PurePosixPath

import msgspec
from msgspec import Struct

FOLDER = PurePosixPath("/media/cutcard")
FSTAB = PurePosixPath("/etc/fstab")
AUTOMOUNT = "media-cutcard.automount"
COLUMNS = "PATH,UUID,FSTYPE,LABEL,SIZE,TRAN,MOUNTPOINTS"
"""Of `lsblk --json`."""
_OWNERLESS = ("vfat", "exfat", "ntfs", "ntfs3")


class Stick(Struct, frozen=True):
    """A file system on USB that is not the system's own."""

    uuid: str
    kind: str
    label: str = ""
    size: str = ""

    def __str__(self) -> str:
        return " ".join(filter(None, (self.label or self.uuid, self.size, self.kind)))


class _Device(Struct):
    uuid: str | None = None
    fstype: str | None = None
    label: str | None = None
    size: str | None = None
    tran: str | None = None
    mountpoints: list[str | None] = []
    children: list[_Device] = []


class _Listed(Struct):
    blockdevices: list[_Device] = []


def sticks(listed: str) -> tuple[Stick, ...]:
    """Those in what `lsblk --json` says; none where it says something else."""
    try:
        devices = msgspec.json.decode(listed, type=_Listed).blockdevices
    except msgspec.MsgspecError:
        return ()
    found: list[Stick] = []
    for disk in devices:
        parts = [disk, *disk.children]
        mounted = {place for part in parts for place in part.mountpoints}
        if disk.tran != "usb" or mounted & {"/", "/boot", "/boot/firmware"}:
            continue
        found += [
            Stick(part.uuid, part.fstype, part.label or "", part.size or "")
            for part in parts
            if part.uuid and part.fstype
        ]
    return tuple(found)


def is_listed(fstab: str, folder: PurePosixPath = FOLDER) -> bool:
    """Whether something is mounted at a folder already, or at one that it is in."""
    places = (line.split()[1:2] for line in fstab.splitlines() if not line.startswith("#"))
    return any(place != ["/"] and folder.is_relative_to(*place) for place in places if place)


def listing(fstab: str, stick: Stick) -> str:
    """The file with a line for the stick: it is mounted when its folder is asked for, and a start
    without it waits for nothing."""
    options = "nofail,x-systemd.automount,x-systemd.device-timeout=10"
    if stick.kind in _OWNERLESS:
        options += ",umask=0077"
    end = "" if not fstab or fstab.endswith("\n") else "\n"
    return f"{fstab}{end}UUID={stick.uuid} {FOLDER} {stick.kind} {options} 0 0\n"
