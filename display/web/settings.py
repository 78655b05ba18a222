"""What one room is: its site, broker, pages, clock and screens, from `room.toml`.

`config/room.toml` shows every key with its meaning.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

import msgspec
from msgspec import Meta, Struct

from controller.messages import DEFAULT_SITE, ROOM_STATE
from controller.observations import nearest
from controller.room.alert_acts import Section
from controller.room.duty import MOST_SECTIONS
from controller.room.shift import Limits
from controller.room.view import Screen
from controller.settings import config_dir
from controller.table.toml_file import ConfigError, convert, read_text, read_toml
from display.wall.theme import themes
from display.web.address import AddressError, base_of

Text = Annotated[str, Meta(min_length=1, max_length=200)]
Port = Annotated[int, Meta(ge=0, le=65_535)]


class RoomSection(Struct, frozen=True):
    """`[room]`."""

    site: str = DEFAULT_SITE
    language: str = "en"
    store: Text | None = None


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


class RoomFile(Struct, frozen=True):
    """The whole file; every section may be missing."""

    room: RoomSection = RoomSection()
    broker: BrokerSection = BrokerSection()
    web: WebSection = WebSection()
    clock: ClockSection = ClockSection()
    screen: ScreenSection = ScreenSection()
    alerts: AlertsSection = AlertsSection()
    sections: dict[str, tuple[str, ...]] = {}


class RoomConfig(Struct, frozen=True):
    """A room's settings, checked; paths are absolute where the environment's are."""

    site: str
    language: str
    store: Path
    broker: BrokerSection
    password_file: Path | None
    ca_file: Path | None
    web: WebSection
    clock: ClockSection
    blinds: Path
    screen: Screen
    limits: Limits = Limits()
    sections: Mapping[str, tuple[str, ...]] = {}
    ntfy: str = ""
    ntfy_token_file: Path | None = None


def load_room_config(path: Path | None, environment: Mapping[str, str] = os.environ) -> RoomConfig:
    """The settings in `path`, else every default. Raises ConfigError."""
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
    config = RoomConfig(
        site=file.room.site,
        language=_language(path, file.room.language),
        store=default_store(environment)
        if file.room.store is None
        else folder / Path(file.room.store).expanduser(),
        broker=file.broker,
        password_file=_beside(folder, file.broker.password_file),
        ca_file=_beside(folder, file.broker.ca_file),
        web=file.web,
        clock=file.clock,
        blinds=blinds_file(f"{path}: [clock] blinds", file.clock.blinds, folder),
        screen=_screen(path, folder, file.screen),
        limits=Limits(**{name: getattr(file.alerts, name) for name in Limits.__struct_fields__}),
        sections=_sections(path, file.sections),
        ntfy=_ntfy(path, file.alerts.ntfy),
        ntfy_token_file=_beside(folder, file.alerts.ntfy_token_file),
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


def _beside(folder: Path, name: str | None) -> Path | None:
    return None if name is None else folder / Path(name).expanduser()


def _language(path: Path | None, name: str) -> str:
    known = sorted(each.stem for each in (config_dir() / "languages").glob("*.toml"))
    if name not in known:
        hint = nearest(name, known) or f"; there are {', '.join(known)}"
        raise ConfigError(f"{path}: [room] language: there is no language '{name[:40]}'{hint}")
    return name


def _screen(path: Path | None, folder: Path, screen: ScreenSection) -> Screen:
    logo = _beside(folder, screen.logo)
    if logo is not None and not logo.is_file():
        raise ConfigError(f"{path}: [screen] logo: {logo}: no such file")
    known = themes(config_dir())
    if screen.theme not in known:
        hint = nearest(screen.theme, known) or f"; there are {', '.join(known)}"
        raise ConfigError(f"{path}: [screen] theme: there is no theme '{screen.theme[:40]}'{hint}")
    shown = "" if logo is None else str(logo)
    return Screen(screen.name, shown, screen.diagonal_inches, screen.theme)
