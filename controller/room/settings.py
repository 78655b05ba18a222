"""What one room is: its site, broker, pages, clock and screens, from `room.toml`.

`config/room.toml` shows every key with its meaning.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, get_args
from urllib.parse import urlsplit

import msgspec
from msgspec import Meta, Struct

from controller.archive.archivist import Retention
from controller.archive.opening import is_postgres
from controller.archive.running import HistoryOptions
from controller.contract.messages import DEFAULT_SITE, ROOM_STATE
from controller.contract.observations import nearest
from controller.files.settings import config_dir, themes
from controller.files.toml_file import ConfigError, convert, read_text, read_toml
from controller.pairing.words import PORT
from controller.people.staff import HOUR_S, Holds
from controller.room.address import AddressError, base_of
from controller.room.alert_acts import Section
from controller.room.duty import MOST_SECTIONS
from controller.room.shift import Limits
from controller.room.view import ScreenSetup
from controller.room.walls import WallsTell

ARCHIVE_CREDENTIAL = "cutcard.archive-password"
PAIRING_CERTIFICATE, PAIRING_KEY = "cutcard.room-certificate", "cutcard.room-key"
"""What is shown to tables that pair."""
SERVICE_STATE = Path("/var/lib/cutcard-room")
"""Where the room that systemd starts has its state."""
Text = Annotated[str, Meta(min_length=1, max_length=200)]
Port = Annotated[int, Meta(ge=0, le=65_535)]
HostName = Annotated[str, Meta(min_length=1, max_length=253, pattern="^[A-Za-z0-9.:-]+$")]


class RoomSection(Struct, frozen=True):
    """`[room]`."""

    site: str = DEFAULT_SITE
    language: str = "en"
    store: Text | None = None
    stand_by: bool = False


class BrokerSection(Struct, frozen=True):
    """`[broker]`."""

    host: Text = "127.0.0.1"
    port: Annotated[int, Meta(ge=1, le=65_535)] = 1883
    user: Text | None = None
    password_file: Text | None = None
    ca_file: Text | None = None


class WebSection(Struct, frozen=True):
    """`[web]`."""

    host: Text = "127.0.0.1"
    port: Port = 8080
    address: Text | None = None
    names: Annotated[tuple[HostName, ...], Meta(max_length=20)] = ()
    certificate: Text | None = None
    key: Text | None = None
    authority: Text | None = None
    https_port: Port = 8443


class PeopleSection(Struct, frozen=True):
    """`[people]`."""

    idle_hours: Annotated[float, Meta(gt=0, le=168)] = 12.0
    longest_hours: Annotated[float, Meta(gt=0, le=720)] = 24.0
    audit_days: Annotated[float, Meta(ge=1, le=3_650)] = 180.0

    @property
    def holds(self) -> Holds:
        """How long a sign-in holds."""
        return Holds(self.idle_hours * HOUR_S, self.longest_hours * HOUR_S)

    @property
    def keep_audit_s(self) -> float:
        """How long it is kept who did what, in seconds."""
        return self.audit_days * 24 * HOUR_S


class Certificate(Struct, frozen=True):
    """The files of HTTPS. `authority` is what phones have to trust, None where they do."""

    certificate: Path
    key: Path
    authority: Path | None


class ClockSection(Struct, frozen=True):
    """`[clock]`."""

    blinds: Text = "standard"
    hold_for_hands: bool = False
    pause_on_dispute: bool = False
    tell_tables: bool = True


class ScreenSection(Struct, frozen=True):
    """`[screen]`."""

    name: Annotated[str, Meta(max_length=200)] = ""
    logo: Text | None = None
    diagonal_inches: Annotated[float, Meta(ge=3, le=1_000)] = 55.0
    theme: Text = "dark"
    alerts: Text = "calls"


class AlertsSection(Struct, frozen=True):
    """`[alerts]`."""

    take_1_s: Annotated[int, Meta(ge=5, le=3_600)] = 30
    take_2_s: Annotated[int, Meta(ge=5, le=3_600)] = 120
    rule_s: Annotated[int, Meta(ge=10, le=7_200)] = 300
    shelve_minutes: Annotated[int, Meta(ge=1, le=60)] = 15
    shelve_times: Annotated[int, Meta(ge=0, le=10)] = 2
    flood: Annotated[int, Meta(ge=2, le=1_000)] = 10
    ntfy: Text | None = None
    ntfy_token_file: Text | None = None


class PlayersSection(Struct, frozen=True):
    """`[players]`."""

    keep_days: Annotated[int, Meta(ge=0, le=100_000)] = 400

    @property
    def keep_ms(self) -> int | None:
        """How long it is kept what players did; None is for ever."""
        return round(self.keep_days * 24 * HOUR_S * 1_000) or None


class HistorySection(Struct, frozen=True):
    """`[history]`."""

    store: Text | None = None
    keep_days: Annotated[int, Meta(ge=0, le=100_000)] = 400
    keep_findings_days: Annotated[int, Meta(ge=0, le=100_000)] = 0
    room_writes: bool = True
    user: Text | None = None
    password_file: Text | None = None


class PairingSection(Struct, frozen=True):
    """`[pairing]`."""

    port: Port = PORT
    user: Text | None = None
    password_file: Text | None = None


class RoomFile(Struct, frozen=True):
    """The whole file; every section may be missing."""

    room: RoomSection = RoomSection()
    broker: BrokerSection = BrokerSection()
    web: WebSection = WebSection()
    people: PeopleSection = PeopleSection()
    clock: ClockSection = ClockSection()
    screen: ScreenSection = ScreenSection()
    alerts: AlertsSection = AlertsSection()
    sections: dict[str, tuple[str, ...]] = {}
    players: PlayersSection = PlayersSection()
    history: HistorySection = HistorySection()
    pairing: PairingSection = PairingSection()


class BrokerLogin(Struct, frozen=True):
    """Who logs in at the broker."""

    user: str
    password_file: Path | None


class RoomConfig(Struct, frozen=True):
    """A room's settings, checked; paths are absolute where the environment's are. Without a
    `history_login` the history is written under the room's own."""

    site: str
    language: str
    store: Path
    broker: BrokerSection
    password_file: Path | None
    ca_file: Path | None
    web: WebSection
    certificate: Certificate | None
    people: PeopleSection
    clock: ClockSection
    blinds: Path
    screen: ScreenSetup
    limits: Limits = Limits()
    sections: Mapping[str, tuple[str, ...]] = {}
    ntfy: str = ""
    ntfy_token_file: Path | None = None
    players: PlayersSection = PlayersSection()
    history: HistoryOptions | None = None
    history_login: BrokerLogin | None = None
    room_writes: bool = True
    pairing: PairingSection = PairingSection()
    stand_by: bool = False


def load_room_config(
    path: Path | None,
    environment: Mapping[str, str] = os.environ,
    *,
    store: Path | None = None,
) -> RoomConfig:
    """The settings in `path`, else every default; `store` goes before the file's. Raises
    ConfigError."""
    file = RoomFile() if path is None else convert(path, read_toml(path), RoomFile)
    folder = Path() if path is None else path.parent.absolute()
    try:
        ROOM_STATE.name(file.room.site)
    except ValueError as error:
        raise ConfigError(f"{path}: [room] site: {error}") from None
    if file.web.address is not None:
        try:
            base_of(file.web.address)
        except AddressError as error:
            raise ConfigError(f"{path}: [web] address: {error}") from None
    if store is None:
        store = _beside(folder, file.room.store) or default_store(environment)
    config = RoomConfig(
        site=file.room.site,
        language=_language(path, file.room.language),
        store=store,
        broker=file.broker,
        password_file=_beside(folder, file.broker.password_file),
        ca_file=_beside(folder, file.broker.ca_file),
        web=file.web,
        certificate=_certificate(path, folder, file.web),
        people=file.people,
        clock=file.clock,
        blinds=blinds_file(f"{path}: [clock] blinds", file.clock.blinds, folder),
        screen=_screen(path, folder, file.screen),
        limits=Limits(**{name: getattr(file.alerts, name) for name in Limits.__struct_fields__}),
        sections=_sections(path, file.sections),
        ntfy=_ntfy(path, file.alerts.ntfy),
        ntfy_token_file=_beside(folder, file.alerts.ntfy_token_file),
        players=file.players,
        history=_history(path, folder, store, file.history),
        history_login=_history_login(folder, file.history, environment),
        room_writes=file.history.room_writes,
        pairing=_pairing(folder, file.pairing),
        stand_by=file.room.stand_by,
    )
    if config.ca_file is not None and not config.ca_file.is_file():
        raise ConfigError(f"{path}: [broker] ca_file: {config.ca_file}: no such file")
    return config


def blinds_file(where: str, given: str, folder: Path) -> Path:
    """The file of a structure, which comes along by its name or is the house's own.

    Raises ConfigError, which begins with `where`.
    """
    shipped = {each.stem: each for each in sorted((config_dir() / "blinds").glob("*.toml"))}
    if given in shipped:
        return shipped[given]
    if "/" in given or given.endswith(".toml"):
        return folder / Path(given).expanduser()
    raise ConfigError(f"{where}: there is no structure '{given}'{nearest(given, shipped)}")


def default_store(environment: Mapping[str, str]) -> Path:
    """Where the store is unless it is said: systemd's folder, else the user's own."""
    state = environment.get("STATE_DIRECTORY", "").split(":")[0]
    if state:
        return Path(state) / "room.sqlite"
    home = environment.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(home) / "cutcard" / "room.sqlite"


def password(path: Path) -> str:
    """The first line of the file. Raises ConfigError."""
    found = next(iter(read_text(path).splitlines()), "")
    if not found:
        raise ConfigError(f"{path}: the first line is the password: empty")
    return found


def _sections(
    path: Path | None, sections: Mapping[str, tuple[str, ...]]
) -> Mapping[str, tuple[str, ...]]:
    for name, tables in sections.items():
        where = f"{path}: [sections] {name[:80]}"
        try:
            msgspec.convert({"actor": "-", "name": name, "tables": tables}, Section)
        except msgspec.ValidationError:
            raise ConfigError(f"{where}: no section's name, or no tables' names") from None
        if not tables:
            raise ConfigError(f"{where}: it has no table")
    if len(sections) > MOST_SECTIONS:
        raise ConfigError(f"{path}: [sections]: more than {MOST_SECTIONS}")
    return sections


def _ntfy(path: Path | None, address: str | None) -> str:
    if address is None:
        return ""
    parts = urlsplit(address)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.path in ("", "/"):
        raise ConfigError(f"{path}: [alerts] ntfy: '{address[:80]}' is not http://HOST/TOPIC")
    return address


def _certificate(path: Path | None, folder: Path, web: WebSection) -> Certificate | None:
    certificate, key = _beside(folder, web.certificate), _beside(folder, web.key)
    authority = _beside(folder, web.authority)
    if certificate is None or key is None:
        given = {"certificate": certificate, "key": key, "authority": authority}
        for name, file in given.items():
            if file is not None:
                other = "key" if key is None else "certificate"
                raise ConfigError(f"{path}: [web] {name}: it needs a '{other}' too")
        return None
    if authority is None and (beside := certificate.with_name("ca.crt")).is_file():
        authority = beside
    for name, file in {"certificate": certificate, "key": key, "authority": authority}.items():
        if file is not None and not file.is_file():
            hint = "; `cutcard certificate` makes it"
            raise ConfigError(f"{path}: [web] {name}: {file}: no such file{hint}")
    return Certificate(certificate, key, authority)


def _beside(folder: Path, name: str | None) -> Path | None:
    return None if name is None else folder / Path(name).expanduser()


def _language(path: Path | None, name: str) -> str:
    known = sorted(each.stem for each in (config_dir() / "languages").glob("*.toml"))
    if name not in known:
        hint = nearest(name, known) or f"; there are {', '.join(known)}"
        raise ConfigError(f"{path}: [room] language: there is no language '{name[:40]}'{hint}")
    return name


def _history(
    path: Path | None, folder: Path, room_store: Path, given: HistorySection
) -> HistoryOptions | None:
    if 0 < given.keep_findings_days < given.keep_days or (
        given.keep_findings_days and not given.keep_days
    ):
        raise ConfigError(
            f"{path}: [history] keep_findings_days: findings can't be kept for less than the"
            f" events they follow from, keep_days ({given.keep_days})"
        )
    if given.store == "none":
        return None
    retention = Retention(given.keep_days, given.keep_findings_days)
    if given.store is None:
        return HistoryOptions(str(room_store.with_name("history.sqlite")), retention)
    if is_postgres(given.store):
        return HistoryOptions(given.store, retention)
    if "://" in given.store:
        raise ConfigError(
            f"{path}: [history] store: neither a file nor postgresql://…"
            f"{nearest(given.store.split('://')[0], ['postgresql'])}"
        )
    return HistoryOptions(str(folder / Path(given.store).expanduser()), retention)


def _screen(path: Path | None, folder: Path, screen: ScreenSection) -> ScreenSetup:
    logo = _beside(folder, screen.logo)
    if logo is not None and not logo.is_file():
        raise ConfigError(f"{path}: [screen] logo: {logo}: no such file")
    known = themes(config_dir())
    if screen.theme not in known:
        hint = nearest(screen.theme, known) or f"; there are {', '.join(known)}"
        raise ConfigError(f"{path}: [screen] theme: there is no theme '{screen.theme[:40]}'{hint}")
    choices: tuple[WallsTell, ...] = get_args(WallsTell)
    tells = next((each for each in choices if each == screen.alerts), None)
    if tells is None:
        fault = f"'{screen.alerts[:40]}' is not one of {', '.join(choices)}"
        raise ConfigError(f"{path}: [screen] alerts: {fault}{nearest(screen.alerts, choices)}")
    shown = "" if logo is None else str(logo)
    return ScreenSetup(screen.name, shown, screen.diagonal_inches, screen.theme, tells)


def _history_login(
    folder: Path, given: HistorySection, environment: Mapping[str, str]
) -> BrokerLogin | None:
    file = _beside(folder, given.password_file)
    lent = environment.get("CREDENTIALS_DIRECTORY")
    if file is None and lent and (credential := Path(lent) / ARCHIVE_CREDENTIAL).is_file():
        file = credential
    if file is None and given.user is None:
        return None
    return BrokerLogin(given.user or "archive", file)


def _pairing(folder: Path, given: PairingSection) -> PairingSection:
    file = _beside(folder, given.password_file)
    return given if file is None else msgspec.structs.replace(given, password_file=str(file))
