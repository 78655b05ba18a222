"""What makes a machine into a room: from what it is now and what was answered. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Literal
from urllib.parse import urlsplit

from msgspec import Struct

from controller.files.toml_edit import Value, with_value
from controller.files.toml_file import ConfigError, convert, parse_toml
from controller.install.setup.environment import option, variable, with_option, with_variable
from controller.install.setup.machine_plan import Machine, in_zone, named
from controller.install.setup.steps import (
    CREDENTIALS,
    ETC,
    Act,
    AddAdmin,
    Certify,
    KeepSecret,
    LendCertificate,
    MakeFolder,
    Order,
    Plan,
    SetUpBroker,
    Step,
    Unit,
    Verb,
    Write,
    by_hand,
    changes,
    rests,
    runs,
    shows,
)
from controller.install.setup.sticks import AUTOMOUNT, FOLDER, FSTAB, Stick, is_listed, listing
from controller.room.settings import SERVICE_STATE, RoomFile

OPTIONS = ETC / "room.env"
SETTINGS = ETC / "room.toml"
BACKUP = ETC / "backup.env"
WALL = ETC / "wall.env"
AUTHORITY = ETC / "ca.pem"
LENT = PurePosixPath(SERVICE_STATE) / "https"
"""Where the room's own user reads its certificate."""
WALL_PASSWORD = ETC / "broker" / "screen.password"
WALL_CREDENTIAL = CREDENTIALS / "cutcard.screen-password"

ROOM, OWN_BROKER, DEBIANS_BROKER = "cutcard-room", "cutcard-broker", "mosquitto"
RENEWAL, BACKUPS, WALLS = "cutcard-renewal.timer", "cutcard-backup.timer", "cutcard-wall"
UNITS = (ROOM, OWN_BROKER, DEBIANS_BROKER, RENEWAL, BACKUPS, WALLS)

_EVERYWHERE = "0.0.0.0"  # noqa: S104 - the pages are for the whole network
_REMOVABLE = ("/media", "/mnt", "/run/media")
_MOVED = {
    "--tls-ca": ("broker", "ca_file"),
    "--site": ("room", "site"),
    "--web-host": ("web", "host"),
    "--web-port": ("web", "port"),
    "--blinds": ("clock", "blinds"),
}
"""Options that go before the settings, and so would hide what is set there."""


class RoomNow(Struct, frozen=True, kw_only=True):
    """What there is of a room. Texts are those of files, None where there is none.

    `names` are the certificate's; `is_shown` is whether the broker has that one, `is_lent` whether
    the pages have it. `rights_site` is the site that the broker's rights are for, None where it
    can't be told. `changed_at` is when what a unit reads was changed, in seconds of the wall clock.
    """

    machine: Machine
    settings_at: PurePosixPath = SETTINGS
    settings: str | None = None
    example: str
    options: str
    names: tuple[str, ...]
    is_shown: bool = True
    is_lent: bool = False
    broker: Literal["cutcard-broker", "mosquitto"] = "cutcard-broker"
    rights_site: str | None = None
    admins: tuple[str, ...] = ()
    fstab: str = ""
    sticks: tuple[Stick, ...] = ()
    backup: str = ""
    wall: str = ""
    wall_login: Literal["kept", "to carry", "none"] = "none"
    changed_at: Mapping[str, float] = {}
    units: Mapping[str, Unit] = {}

    @property
    def is_set_up(self) -> bool:
        """Whether the questions have been answered before."""
        return self.settings is not None

    @property
    def file(self) -> RoomFile:
        """What the room reads now, options before settings. Raises ConfigError."""
        return _read(self, _opened(self))


class RoomWanted(Struct, frozen=True, kw_only=True):
    """What was answered. None: none of it."""

    host_name: str
    zone: str
    site: str = "main"
    name: str = ""
    language: str = "en"
    https: bool = True
    address: str | None = None
    admin: str | None = None
    backup: PurePosixPath | None = None
    stick: Stick | None = None
    """To be mounted at the backup's folder."""
    keep: int = 14
    wall: str | None = None
    """The diagonal of its screen, such as 55in."""


def room_plan(now: RoomNow, wanted: RoomWanted) -> Plan:
    """All steps in their order. Raises ConfigError where a file is not as it can be changed."""
    host, zone = named(now.machine, wanted.host_name), in_zone(now.machine, wanted.zone)
    settings = _settings(now, wanted)
    certificate = _certificate(now, wanted)
    broker = _broker(now, wanted, afresh=bool(certificate.acts) or not now.is_shown)
    lent = _lent(now, wanted, afresh=bool(certificate.acts))
    backup, wall = _backup(now, wanted), _wall(now, wanted)
    # The settings name the certificate, so that has to be there first.
    steps = [host, zone, certificate, broker, *lent, settings, _admin(now, wanted), backup, *wall]
    afresh = {ROOM: changes((host, zone, broker, settings)), WALLS: changes(wall)}
    return Plan((*steps, *_units(now, wanted, afresh)), tuple(_left(now, wanted)))


def _left(now: RoomNow, wanted: RoomWanted) -> Iterator[str]:
    wall = now.units.get(WALLS, Unit())
    if not now.admins and not wanted.admin:
        yield 'sudo cutcard staff add "Ann Lee" --role admin'
    if wanted.backup is not None and not _is_installed(now, BACKUPS):
        yield f"backups need {BACKUPS}: docs/backup.md, then this again"
    elif (
        wanted.backup is not None
        and _is_removable(wanted.backup)
        and not (wanted.stick or is_listed(now.fstab, wanted.backup))
    ):
        yield f"nothing is mounted at {wanted.backup} so far: docs/backup.md, or answer usb"
    if wanted.wall is None:
        return
    if not wall.is_installed:
        yield "the wall's screen needs its package: sudo sh install wall, then this again"
    elif now.wall_login == "none":
        yield "the wall has no password: sudo cutcard broker --renew screen, then this again"
    elif now.machine.on_console and not wall.is_active:
        yield by_hand(WALLS)


def backup_folder(text: str) -> PurePosixPath | None:
    """Where backups go by a file of options."""
    to = option(variable(text, "BACKUP_OPTIONS").split(), "--to")
    return PurePosixPath(to) if to else None


def pages(file: RoomFile, wanted: RoomWanted) -> tuple[str, ...]:
    """The addresses to open, the first page before the others."""
    plain = f"http://{wanted.host_name}.local{_port(file.web.port, 80)}/"
    if not wanted.https:
        return plain, f"{plain}screen"
    safe = f"https://{wanted.host_name}.local{_port(file.web.https_port, 443)}/"
    return safe, f"{plain}trust", f"{plain}screen"


def asked_at(file: RoomFile) -> str:
    """Where this machine itself finds the pages: a host and a port."""
    host = file.web.host
    if host in (_EVERYWHERE, "::"):
        host = "127.0.0.1"
    return f"{f'[{host}]' if ':' in host else host}:{file.web.port}"


def _opened(now: RoomNow) -> str:
    """The settings' text with what the options say: those are gone then."""
    text = now.example if now.settings is None else now.settings
    for section, key, value in _in_options(variable(now.options, "ROOM_OPTIONS").split()):
        text = with_value(Path(now.settings_at), text, section, key, value)
    return text


def _read(now: RoomNow, text: str) -> RoomFile:
    path = Path(now.settings_at)
    return convert(path, parse_toml(path, text), RoomFile)


def _in_options(words: list[str]) -> Iterator[tuple[str, str, Value]]:
    broker = option(words, "--broker")
    if broker is not None:
        host, _, port = broker.rpartition(":")
        yield "broker", "host", host.strip("[]")
        yield "broker", "port", _number(port, "--broker")
    for name, (section, key) in _MOVED.items():
        value = option(words, name)
        if value is not None:
            yield section, key, _number(value, name) if key == "port" else value


def _number(text: str, name: str) -> int:
    if not text.isdecimal():
        raise ConfigError(f"{OPTIONS}: {name}: {text[:20]!r} is not a port")
    return int(text)


def _settings(now: RoomNow, wanted: RoomWanted) -> Step:
    path = Path(now.settings_at)
    text = _opened(now)
    given = parse_toml(path, text)
    has_certificate = "certificate" in given.get("web", {})
    values: list[tuple[str, str, Value | None]] = [
        ("room", "site", wanted.site),
        ("room", "language", wanted.language),
        ("screen", "name", wanted.name),
        ("web", "address", wanted.address),
    ]
    if "host" not in given.get("web", {}):
        values.append(("web", "host", _EVERYWHERE))
    if wanted.https and not has_certificate:
        values += [("web", "certificate", f"{LENT}/room.crt"), ("web", "key", f"{LENT}/room.key")]
    elif not wanted.https:
        values += [("web", each, None) for each in ("certificate", "key", "authority")]
    for section, key, value in values:
        is_there = key in given.get(section, {})
        if value is None and not is_there:
            continue
        if value == getattr(getattr(_read(now, text), section), key):
            continue
        text = with_value(path, text, section, key, value)
    _read(now, text)
    words = variable(now.options, "ROOM_OPTIONS").split()
    for name in ("--broker", *_MOVED):
        words = list(with_option(words, name, None))
    if option(words, "--config") is None:
        words = ["--config", str(now.settings_at), *words]
    options = with_variable(now.options, "ROOM_OPTIONS", " ".join(words))
    acts: list[Act] = []
    if text != now.settings:
        acts.append(Write(now.settings_at, text))
    if options != now.options:
        acts.append(Write(OPTIONS, options))  # after what it names
    called = f", called {wanted.name}" if wanted.name else ""
    return Step(
        f"room{called}: site {wanted.site}, language {wanted.language}, "
        f"pages by {'HTTPS' if wanted.https else 'HTTP'}, in {now.settings_at}",
        tuple(acts),
    )


def _certificate(now: RoomNow, wanted: RoomWanted) -> Step:
    needed = [f"{wanted.host_name}.local"]
    if wanted.address is not None and (told := urlsplit(wanted.address).hostname):
        needed.append(told)
    if set(needed) <= set(now.names):
        return Step(f"certificate for {', '.join(needed)}")
    names = tuple(dict.fromkeys((*needed, *now.names)))
    return Step(f"certificate for {', '.join(needed)}", (Certify(names),))


def _broker(now: RoomNow, wanted: RoomWanted, *, afresh: bool) -> Step:
    before = now.file.room.site if now.rights_site is None else now.rights_site
    acts: tuple[Act, ...] = ()
    if afresh or before != wanted.site:
        acts = (SetUpBroker(wanted.site),)
        if now.machine.is_live:
            # Rights that the broker keeps itself it reads only as it starts.
            verb: Verb = "try-reload-or-restart" if before == wanted.site else "try-restart"
            acts = (*acts, Order(verb, (now.broker,)))
    return Step(f"broker for the site {wanted.site}", acts)


def _lent(now: RoomNow, wanted: RoomWanted, *, afresh: bool) -> list[Step]:
    in_use = now.file.web.certificate
    if not wanted.https or in_use not in (None, f"{LENT}/room.crt"):
        return []
    acts = (LendCertificate(),) if afresh or not now.is_lent else ()
    return [Step("certificate for the pages, too", acts)]


def _admin(now: RoomNow, wanted: RoomWanted) -> Step:
    if now.admins:
        return Step(f"admin: {', '.join(now.admins)}")
    if wanted.admin is None:
        return Step("admin: none yet")
    return Step(f"admin: {wanted.admin}", (AddAdmin(wanted.admin),))


def _backup(now: RoomNow, wanted: RoomWanted) -> Step:
    if wanted.backup is None:
        return Step("backups: none")
    acts: list[Act] = []
    if wanted.stick is not None and not is_listed(now.fstab):
        acts += [
            MakeFolder(FOLDER),
            Write(FSTAB, listing(now.fstab, wanted.stick)),
            Order("daemon-reload"),
            Order("start", (AUTOMOUNT,)),
        ]
    before = tuple(variable(now.backup, "BACKUP_OPTIONS").split())
    words = with_option(before, "--to", str(wanted.backup))
    words = with_option(words, "--keep", str(wanted.keep))
    is_removable = _is_removable(wanted.backup)
    if is_removable and "--mounted" not in words:
        words = (*words, "--mounted")
    elif not is_removable and backup_folder(now.backup) != wanted.backup:
        words = tuple(word for word in words if word != "--mounted")
        acts.append(MakeFolder(wanted.backup))
    if words != before:
        acts.append(Write(BACKUP, with_variable(now.backup, "BACKUP_OPTIONS", " ".join(words))))
    return Step(f"backups: every morning to {wanted.backup}, {wanted.keep} stay", tuple(acts))


def _is_removable(folder: PurePosixPath) -> bool:
    return any(folder.is_relative_to(each) for each in _REMOVABLE)


def _is_installed(now: RoomNow, unit: str) -> bool:
    return now.units.get(unit, Unit()).is_installed


def _wall(now: RoomNow, wanted: RoomWanted) -> list[Step]:
    if wanted.wall is None or not _is_installed(now, WALLS):
        return []
    acts: list[Act] = []
    if now.wall_login == "to carry":
        acts.append(KeepSecret(WALL_PASSWORD, WALL_CREDENTIAL))
    broker = now.file.broker
    before = tuple(variable(now.wall, "WALL_OPTIONS").split())
    words = before
    for name, value in (
        ("--broker", f"{broker.host}:{broker.port}"),
        ("--tls-ca", str(AUTHORITY)),
        ("--site", wanted.site),
        ("--diagonal", wanted.wall),
        ("--language", wanted.language),
    ):
        words = with_option(words, name, value)
    if words != before:
        acts.append(Write(WALL, with_variable(now.wall, "WALL_OPTIONS", " ".join(words))))
    return [Step(f"wall: a screen of {wanted.wall} at this machine", tuple(acts))]


def _units(now: RoomNow, wanted: RoomWanted, afresh: Mapping[str, bool]) -> Iterator[Step]:
    is_live = now.machine.is_live

    def unit(name: str) -> Unit:
        return now.units.get(name, Unit())

    def is_older(name: str) -> bool:
        return afresh[name] or unit(name).is_older(now.changed_at.get(name, 0.0))

    yield runs(now.broker, unit(now.broker), is_live=is_live)
    yield runs(ROOM, unit(ROOM), is_live=is_live, afresh=is_older(ROOM))
    if now.broker == OWN_BROKER:
        yield runs(RENEWAL, unit(RENEWAL), is_live=is_live)
    if wanted.backup is None:
        yield rests(BACKUPS, unit(BACKUPS))
    elif _is_installed(now, BACKUPS):
        yield runs(BACKUPS, unit(BACKUPS), is_live=is_live)
    if not _is_installed(now, WALLS):
        return
    if wanted.wall is None:
        yield rests(WALLS, unit(WALLS))
    elif now.wall_login != "none":
        on_console = now.machine.on_console
        yield shows(
            WALLS, unit(WALLS), is_live=is_live, afresh=is_older(WALLS), on_console=on_console
        )


def _port(port: int, usual: int) -> str:
    return "" if port == usual else f":{port}"
