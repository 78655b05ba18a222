"""What is asked about a room, and what can be answered."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import partial
from pathlib import PurePosixPath

from msgspec import Struct

from controller.install import init_answers as answers
from controller.install.init_ask import GivenError
from controller.install.init_plan import AnswerError
from controller.install.setup.answers_file import Answers
from controller.install.setup.environment import option, variable
from controller.install.setup.machine_plan import host_name, zone
from controller.install.setup.room_plan import WALLS, RoomNow, RoomWanted, backup_folder
from controller.install.setup.steps import Unit
from controller.install.setup.sticks import FOLDER, Stick
from controller.people.pins import is_name
from controller.room.address import AddressError, base_of

NONE = answers.NONE
USB = "usb"
HOST = "room"
KEEP = 14
DIAGONAL = "55in"


class RoomPart(Struct, frozen=True):
    """`[room]`."""

    host_name: str | None = None
    name: str | None = None
    site: str | None = None
    language: str | None = None
    time_zone: str | None = None


class PagesPart(Struct, frozen=True):
    """`[pages]`."""

    https: bool | None = None
    address: str | None = None


class AdminPart(Struct, frozen=True):
    """`[admin]`; `pin_file` counts from this file's folder, and its first line is the PIN."""

    name: str | None = None
    pin_file: str | None = None


class BackupPart(Struct, frozen=True):
    """`[backup]`."""

    to: str | None = None
    keep: int | None = None


class WallPart(Struct, frozen=True):
    """`[wall]`."""

    here: bool | None = None
    diagonal: str | None = None


class RoomAnswers(Struct, frozen=True):
    """The whole file."""

    room: RoomPart = RoomPart()
    pages: PagesPart = PagesPart()
    admin: AdminPart = AdminPart()
    backup: BackupPart = BackupPart()
    wall: WallPart = WallPart()


def room_wanted(
    ask: Answers,
    given: RoomAnswers,
    now: RoomNow,
    *,
    zones: Collection[str],
    languages: Collection[str],
) -> RoomWanted:
    """Everything but the admin's PIN. What is set already is the default."""
    file = now.file
    host = ask.ask(
        "Host name of this machine",
        now.machine.host_name if now.is_set_up else HOST,
        host_name,
        means="Browsers find the room by it, as room.local, and tables their time.",
        given=given.room.host_name,
        key="[room] host_name",
    )
    name = ask.ask(
        "Name of the room",
        file.screen.name or NONE,
        _name,
        means=f"Shown above the clock, such as Club Royale, or {NONE}.",
        given=given.room.name,
        key="[room] name",
    )
    language = ask.ask(
        "Language",
        file.room.language,
        answers.one_of(languages, "language"),
        means=f"Of the pages: {', '.join(languages)}. Each screen can have another.",
        given=given.room.language,
        key="[room] language",
    )
    time_zone = ask.ask(
        "Time zone",
        now.machine.zone,
        partial(zone, zones={*zones, now.machine.zone}),
        means="Of the house, such as Europe/Berlin.",
        given=given.room.time_zone,
        key="[room] time_zone",
    )
    site = ask.ask(
        "Site",
        file.room.site,
        answers.site,
        means="Tells two houses apart that share a broker; tables have the same.",
        given=given.room.site,
        key="[room] site",
    )
    https = ask.agrees(
        "Pages by HTTPS",
        default=file.web.certificate is not None or not now.is_set_up,
        means="Nobody on the network can then read PINs, and phones ring and stay awake. Each "
        "phone has to trust the room once; its page /trust shows how.",
        given=given.pages.https,
    )
    address = ask.ask(
        "Address for phones",
        file.web.address or NONE,
        _address,
        means="In the QR code, where your network has a name for this machine, such as "
        f"http://clock.club.lan:8080/, or {NONE}: its own address.",
        given=given.pages.address,
        key="[pages] address",
    )
    backup, stick, keep = _backup(ask, given.backup, now)
    return RoomWanted(
        host_name=host,
        zone=time_zone,
        site=site,
        name=name,
        language=language,
        https=https,
        address=address,
        admin=_admin(ask, given.admin, now),
        backup=backup,
        stick=stick,
        keep=keep,
        wall=_wall(ask, given.wall, now),
    )


def _admin(ask: Answers, given: AdminPart, now: RoomNow) -> str | None:
    if now.admins:
        return None
    return ask.ask(
        "First admin",
        NONE,
        _person,
        means=f"The name of who may do everything on the pages, such as Ann Lee, or {NONE}: later.",
        given=given.name,
        key="[admin] name",
    )


def _backup(
    ask: Answers, given: BackupPart, now: RoomNow
) -> tuple[PurePosixPath | None, Stick | None, int]:
    before = backup_folder(now.backup)
    found = [f"{USB} ({each})" for each in now.sticks]
    where = ask.ask(
        "Backups to",
        str(before or NONE),
        _folder,
        means=f"Every morning: {', '.join([*found, 'a folder such as /media/stick', NONE])}.",
        given=given.to,
        key="[backup] to",
    )
    if where is None:
        return None, None, KEEP
    stick = None
    if where == USB:
        if before != FOLDER:
            stick = _one(now.sticks, f"{ask.file}: [backup] to: " if ask.file else "")
        where = str(FOLDER)
    kept = option(variable(now.backup, "BACKUP_OPTIONS").split(), "--keep")
    keep = ask.ask(
        "How many backups stay",
        kept or str(KEEP),
        _count,
        given=given.keep,
        key="[backup] keep",
    )
    return PurePosixPath(where), stick, keep


def _one(sticks: Collection[Stick], where: str) -> Stick:
    if len(sticks) != 1:
        there = "no USB stick is" if not sticks else f"{len(sticks)} USB sticks are"
        raise GivenError(f"{where}{there} plugged in: one has to be")
    return next(iter(sticks))


def _wall(ask: Answers, given: WallPart, now: RoomNow) -> str | None:
    is_there = now.units.get(WALLS, Unit()).is_installed
    if not is_there and not given.here:
        return None
    if not ask.agrees(
        "Wall's screen at this machine",
        default=bool(now.wall),
        means="The blinds clock on a display that hangs here.",
        given=given.here,
    ):
        return None
    before = option(variable(now.wall, "WALL_OPTIONS").split(), "--diagonal")
    return ask.ask(
        "Size of that screen",
        before or DIAGONAL,
        _diagonal,
        means="Its diagonal, such as 55in or 140cm: letters are to be read from 10 m.",
        given=given.diagonal,
        key="[wall] diagonal",
    )


def _name(text: str) -> str:
    if text == NONE:
        return ""
    if len(text) > 200 or not text.isprintable():
        raise AnswerError("up to 200 letters")
    return text


def _address(text: str) -> str | None:
    if text == NONE:
        return None
    try:
        return base_of(text)
    except AddressError as error:
        raise AnswerError(str(error)) from None


def _person(text: str) -> str | None:
    if text == NONE:
        return None
    if not is_name(text):
        raise AnswerError("up to 40 letters, no quotes")
    return text


def _folder(text: str) -> str | None:
    if text == NONE:
        return None
    if text != USB and re.fullmatch(r"/[A-Za-z0-9._/-]{1,200}", text) is None:
        raise AnswerError(f"a folder from / on, without spaces, or {USB}, or {NONE}")
    return text


def _count(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 10_000:
        raise AnswerError("a number from 1 to 10000")
    return int(text)


def _diagonal(text: str) -> str:
    found = re.fullmatch(r"(\d{1,4}(?:\.\d{1,3})?) ?(in|cm)", text)
    if found is None or not 5 <= float(found[1]) * (1 if found[2] == "in" else 1 / 2.54) <= 1000:
        raise AnswerError("a diagonal such as 55in or 140cm")
    return found[1] + found[2]
