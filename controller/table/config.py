"""What one table is: its rule book, seats, wires and files, from `table.toml`.

`config/table.toml` shows every key with its meaning.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from ipaddress import ip_address
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec import Struct

from controller.broker.client import Endpoint
from controller.contract.messages import TABLE_STATE
from controller.contract.observations import Table, TableSeat, Timing, nearest
from controller.contract.routine import Routine
from controller.contract.zones import ZONES
from controller.files.settings import config_dir
from controller.files.toml_file import ConfigError, convert, read_text, read_toml
from controller.storage.auditor_key import PUBLIC, SECRET, KeyTextError, read_public
from controller.table import presence
from controller.table.attached import LABELS, PanelWiring, check_panels, line, panel
from controller.table.deck_file import canonical, exposure, is_exposed
from controller.table.decks import deck_files, read_decks
from controller.table.floor import FLOOR_CREDENTIAL, read_people
from controller.table.sections import (
    AuditSettings,
    BrokerSettings,
    EverySeat,
    PortSettings,
    TableFile,
    TableSettings,
)
from firmware_bridge.bridge import Wiring
from firmware_bridge.presence import Thresholds
from firmware_bridge.sensed import SeatButton

PASSWORD_CREDENTIAL = "cutcard.mqtt-password"  # noqa: S105 (the name of a file)
LONGEST_S = 60.0
LONGEST_SOCKET_PATH = 107
"""Bytes, without the zero at the end (unix(7), sun_path)."""

_OBJECTS = ("button", "all-in", "cut-card", "badge:NAME")
_BOARD = re.compile(r"[0-9A-Fa-f]{16}")
_OBJECT = re.compile(r"button|all-in|cut-card|badge:.{1,100}")

T = TypeVar("T")


class Broker(Struct, frozen=True):
    """The room's broker, with every default filled in."""

    host: str
    port: int
    site: str
    user: str
    password_file: Path | None
    ca_file: Path | None
    player_names: bool = False


class TableConfig(Struct, frozen=True, kw_only=True):
    """A table's settings, checked and with every default filled in; all paths are absolute
    where the environment's are."""

    path: Path
    table: TableSettings
    seats: tuple[int, ...]
    timing: Timing
    routine: Routine
    thresholds: Thresholds
    neighbours: dict[str, frozenset[str]]
    ports: tuple[Wiring, ...]
    panels: tuple[PanelWiring, ...]
    decks: dict[str, Path]
    objects: dict[str, str]
    broker: Broker | None
    socket: Path
    bench: Path
    journal: Path
    keys: Path
    floor: Path | None = None
    credentials: Path | None = None
    auditor: bytes | None = None
    keep_sealed: int = AuditSettings().keep_hands

    def __repr__(self) -> str:
        return f"TableConfig({str(self.path)!r}, table {self.table.id!r})"

    @property
    def site(self) -> str:
        """The name in its topics of the site where the table is."""
        return "local" if self.broker is None else self.broker.site

    def wirings(self) -> list[Wiring]:
        """What hangs on each port, for the bridge."""
        return list(self.ports)

    @property
    def presses(self) -> tuple[tuple[int, SeatButton], ...]:
        """What all buttons of the table say: (seat, label)."""
        boards = (*(port.buttons for port in self.ports), *(each.presses for each in self.panels))
        return tuple(press for board in boards for press in board)

    def read_decks(self) -> dict[str, dict[str, str]]:
        """Name → (tag → card code) from the decks' files, the first in play at the first start;
        none at all: a tag is its own card code.

        Raises ConfigError, which names a line and never a tag.
        """
        decks = read_decks(self.decks)
        for deck in decks.values():
            if deck.keys() & self.objects.keys():
                raise ConfigError(
                    f"{self.path}: [deck] objects: a tag is a card of the deck as well"
                )
        return decks

    def read_floor(self) -> dict[str, str]:
        """Who from the floor signs in by PIN: name → hash. None without a file. Raises
        ConfigError."""
        return {} if self.floor is None else read_people(self.floor)

    @property
    def badges(self) -> dict[str, str]:
        """The floor's badges: tag → name."""
        named = {tag: thing.partition(":") for tag, thing in self.objects.items()}
        return {tag: name for tag, (kind, _, name) in named.items() if kind == "badge"}

    def table_record(self, deck: Mapping[str, str] | None) -> Table:
        """The first line of the table log, with `deck` in play."""
        return Table(
            v=1,
            table=self.table.id,
            rulebook=self.table.rulebook,
            seats=tuple(TableSeat(seat=seat, stack=self.table.stack) for seat in self.seats),
            button=self.table.button,
            blinds=self.table.blinds,
            deck=None if deck is None else dict(deck),
            objects=dict(self.objects),
            zones=tuple(zone for port in self.ports if not port.reads_pucks for zone in port.zones),
            buttons=tuple(sorted({seat for seat, label in self.presses if label != "time"})),
            mode=self.table.mode,
            timing=self.timing,
            routine=self.routine,
        )

    def endpoint(self) -> Endpoint | None:
        """The room's broker, with the password from its file; None for a table without a room.

        Raises ConfigError where the password can't be read.
        """
        broker = self.broker
        if broker is None:
            return None
        password = None
        if broker.password_file is not None:
            password = next(iter(read_text(broker.password_file).splitlines()), "")
            if not password:
                raise ConfigError(f"{broker.password_file}: the first line is the password: empty")
        ca_file = None if broker.ca_file is None else str(broker.ca_file)
        return Endpoint(broker.host, broker.port, broker.user, password, ca_file)

    def warnings(self) -> list[str]:
        """What is allowed and not wise, a line each."""
        found: list[str | None] = []
        if not self.decks:
            found.append(f"{self.path}: no [deck] file: every tag counts as its own card code")
        found += [exposure(file) for file in self.decks.values() if file.parent != self.credentials]
        if any(thing.startswith("badge:") for thing in self.objects.values()) and exposure(
            self.path
        ):
            found.append(f"{self.path}: others can read the floor's badges; chmod 600 {self.path}")
        lent = self.floor is not None and self.floor.parent == self.credentials
        if self.floor is not None and not lent and is_exposed(self.floor):
            found.append(
                f"{self.floor}: others can read the floor's hashes; chmod 600 {self.floor}"
            )
        if self.bench.parent == self.socket.parent:
            found.append(
                f"{self.path}: [screen] bench: beside the dealer's socket, where the dealer's "
                "screen could use it; give it a folder of its own"
            )
        broker = self.broker
        if broker is not None and broker.ca_file is None and not _is_here(broker.host):
            found.append(f"{self.path}: [broker] ca_file: without it nothing is encrypted")
        if broker is not None and broker.password_file is None:
            found.append(f"{self.path}: [broker] password_file: no password is set")
        return [line for line in found if line is not None]


def load_table_config(
    path: Path, environment: Mapping[str, str] | None = None, *, data: Path | None = None
) -> TableConfig:
    """Reads and checks a table's settings; touches neither the deck nor the password.

    `environment` gives systemd's RUNTIME_DIRECTORY, STATE_DIRECTORY and CREDENTIALS_DIRECTORY,
    where the defaults lie; `data` is the folder of rule books and languages (default: the
    shipped one). Paths in the file count from the file's own folder. Raises ConfigError.
    """
    environment = environment or {}
    file = convert(path, read_toml(path), TableFile)
    runtime = _directory(environment, "RUNTIME_DIRECTORY") or Path("/run/cutcard")
    state = _directory(environment, "STATE_DIRECTORY") or Path("/var/lib/cutcard")
    credentials = _directory(environment, "CREDENTIALS_DIRECTORY")
    seats = _seats(path, file.table)
    usual = presence.checked(f"{path}: [presence]", file.presence.thresholds())
    ports = tuple(_wiring(path, n, port, usual) for n, port in enumerate(file.port, 1))
    zones = [zone for port in ports for zone in port.zones]
    socket = _file(path, file.screen.socket) or runtime / "dealer.sock"
    config = TableConfig(
        path=path,
        table=_checked_table(path, file.table, data or config_dir()),
        seats=seats,
        timing=file.timing,
        routine=file.routine,
        thresholds=usual,
        neighbours=presence.neighbours(
            f"{path}: [presence] neighbours", zones, file.presence.neighbours
        ),
        ports=ports,
        panels=tuple(panel(f"{path}: [[gpio]] {n}", each) for n, each in enumerate(file.gpio, 1)),
        decks=deck_files(path, file, credentials),
        objects=_objects(path, file.deck.objects),
        broker=_broker(path, file.table.id, file.broker, credentials),
        socket=socket,
        bench=_file(path, file.screen.bench) or socket.with_name("bench") / "bench.sock",
        journal=_file(path, file.journal.path) or state / "journal.sqlite",
        keys=_file(path, file.journal.keys) or runtime / "keys",
        floor=_file(path, file.floor.file) or _credential(credentials, FLOOR_CREDENTIAL),
        credentials=credentials,
        auditor=_auditor(path, file.audit.key),
        keep_sealed=file.audit.keep_hands,
    )
    for key, value in msgspec.structs.asdict(file.timing).items():
        if not 0 <= value <= LONGEST_S:
            raise ConfigError(f"{path}: [timing] {key}: {value:g} is not in 0 … {LONGEST_S:g}")
    for key, place in (("socket", config.socket), ("bench", config.bench)):
        if len(bytes(place)) > LONGEST_SOCKET_PATH:
            raise ConfigError(f"{path}: [screen] {key}: longer than {LONGEST_SOCKET_PATH} bytes")
    if config.bench == config.socket:
        raise ConfigError(f"{path}: [screen] bench: the same as the dealer's socket")
    _check_ports(config)
    return config


def with_port(config: TableConfig, device: str) -> TableConfig:
    """The same table with another device in the place of the first port's.

    Raises ConfigError where another port has that device.
    """
    first, *others = config.ports
    changed = msgspec.structs.replace(
        config, ports=(msgspec.structs.replace(first, port=device), *others)
    )
    _check_ports(changed)
    return changed


def _checked_table(path: Path, table: TableSettings, data: Path) -> TableSettings:
    try:
        TABLE_STATE.name("site", table.id)
    except ValueError as error:
        raise ConfigError(f"{path}: [table] id: {error}") from None
    languages = [each.stem for each in data.glob("languages/*.toml")]
    _known(f"{path}: [table] language", "language", table.language, languages)
    if table.blinds.small > table.blinds.big:
        raise ConfigError(f"{path}: [table] blinds: the small blind is more than the big one")
    if table.button not in _seats(path, table):
        raise ConfigError(f"{path}: [table] button: there is no seat {table.button}")
    if table.rulebook.endswith(".toml"):
        book = _existing(path, "[table] rulebook", table.rulebook)
        return msgspec.structs.replace(table, rulebook=str(book))
    books = [each.stem for each in data.glob("rulebooks/*.toml")]
    _known(f"{path}: [table] rulebook", "rule book", table.rulebook, books)
    return table


def _seats(path: Path, table: TableSettings) -> tuple[int, ...]:
    if isinstance(table.seats, int):
        return tuple(range(1, table.seats + 1))
    _refuse_doubles(f"{path}: [table] seats: seat", table.seats)
    if len(table.seats) < 2:
        raise ConfigError(f"{path}: [table] seats: a hand needs two seats")
    return table.seats


def _wiring(path: Path, number: int, port: PortSettings, usual: Thresholds) -> Wiring:
    where = f"{path}: [[port]] {number}"
    for zone in port.zones:
        _known(f"{where} zones", "zone", zone, ZONES)
    if port.id and not _BOARD.fullmatch(port.id):
        raise ConfigError(f"{where} id: {port.id[:40]!r} is not a board's id, 16 hex digits")
    pairs = port.buttons
    if isinstance(pairs, EverySeat):
        pairs = tuple((seat, label) for seat in pairs.seats for label in pairs.labels)
    buttons: list[tuple[int, SeatButton]] = []
    for seat, label in pairs:
        _known(f"{where} buttons", "label", label, LABELS)
        buttons.extend((seat, known) for known in LABELS if known == label)
    how = line(where, port)
    return Wiring(
        port.device,
        port.zones,
        tuple(buttons),
        port.lamps,
        how.baud,
        device=how.family.name,
        parity=how.parity,
        address=how.address,
        id=port.id.upper(),
        cycle_ms=port.cycle_ms,
        thresholds=presence.of_reader(f"{where} presence", usual, port.presence),
    )


def _check_ports(config: TableConfig) -> None:
    where = f"{config.path}: [[port]]"
    for port in config.ports:
        if not port.port.startswith("/"):
            raise ConfigError(f"{where} device: {port.port[:60]!r} is not an absolute path")
    _refuse_doubles(f"{where} device:", [port.port for port in config.ports])
    _refuse_doubles(f"{where} id:", [port.id for port in config.ports if port.id])
    _refuse_doubles(f"{where} zones:", [place for port in config.ports for place in port.places])
    buttons = [f"seat {seat} {label}" for seat, label in config.presses]
    _refuse_doubles(f"{where}{' or [[gpio]]' if config.panels else ''} buttons:", buttons)
    lamps = [seat for port in config.ports for seat in port.lamps]
    _refuse_doubles(f"{where} lamps: seat", lamps)
    for seat in lamps:
        if seat not in config.seats:
            raise ConfigError(f"{where} lamps: there is no seat {seat}")
    check_panels(f"{config.path}: [[gpio]]", config.panels)


def _objects(path: Path, written: Mapping[str, str]) -> dict[str, str]:
    where = f"{path}: [deck] objects"
    objects: dict[str, str] = {}
    for number, (given, thing) in enumerate(written.items(), 1):
        tag = canonical(given)
        if tag is None:
            raise ConfigError(f"{where}: number {number} is not a tag: a UID in hex is expected")
        if tag in objects:
            raise ConfigError(f"{where}: number {number} is a tag already listed")
        if not _OBJECT.fullmatch(thing):
            close = nearest(thing, list(_OBJECTS))
            raise ConfigError(f"{where}: number {number}: unknown object {thing[:40]!r}{close}")
        objects[tag] = thing
    return objects


def _broker(
    path: Path, table: str, given: BrokerSettings | None, credentials: Path | None
) -> Broker | None:
    if given is None:
        return None
    try:
        TABLE_STATE.name(given.site, "table")
    except ValueError as error:
        raise ConfigError(f"{path}: [broker] site: {error}") from None
    ca_file = None
    if given.ca_file is not None:
        ca_file = _existing(path, "[broker] ca_file", given.ca_file)
    password_file = _file(path, given.password_file) or _credential(
        credentials, PASSWORD_CREDENTIAL
    )
    return Broker(
        given.host,
        given.port or (1883 if ca_file is None else 8883),
        given.site,
        given.user or f"table-{table}",
        password_file,
        ca_file,
        given.player_names,
    )


def _auditor(path: Path, given: str | None) -> bytes | None:
    """The auditor's public key: its line, or the one in a file."""
    if given is None:
        return None
    where, text = f"{path}: [audit] key", given
    if not given.startswith((PUBLIC, SECRET)):
        file = _existing(path, "[audit] key", given)
        where, text = f"{where}: {file}", read_text(file)
    try:
        return read_public(text)
    except KeyTextError as error:
        raise ConfigError(f"{where}: {error}") from None


def _is_here(host: str) -> bool:
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"


def _directory(environment: Mapping[str, str], name: str) -> Path | None:
    """The first of the directories that systemd lists there."""
    first = environment.get(name, "").split(":")[0]
    return Path(first) if first else None


def _credential(credentials: Path | None, name: str) -> Path | None:
    file = None if credentials is None else credentials / name
    return file if file is not None and file.is_file() else None


def _file(path: Path, given: str | None) -> Path | None:
    return None if given is None else path.absolute().parent / given


def _existing(path: Path, key: str, given: str) -> Path:
    file = path.absolute().parent / given
    if not file.is_file():
        raise ConfigError(f"{path}: {key}: {file}: no such file")
    return file


def _known(where: str, what: str, name: str, names: Collection[str]) -> None:
    if name not in names:
        raise ConfigError(f"{where}: unknown {what} {name[:60]!r}{nearest(name, list(names))}")


def _refuse_doubles(where: str, values: Iterable[T]) -> None:
    seen: set[T] = set()
    for value in values:
        if value in seen:
            raise ConfigError(f"{where} {value} is listed twice")
        seen.add(value)
