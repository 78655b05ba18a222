"""The settings as a commented TOML file, and how it is written: checked first, whole or not."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from controller.files.toml_file import ConfigError
from controller.install.init_plan import Fitted, wanted
from controller.table.config import TableConfig, load_table_config
from firmware_bridge.families import USUAL
from firmware_bridge.probe import as_delivered

LONGEST_LINE = 96


class Room(Struct, frozen=True):
    """The room's broker. `password_file` and `ca_file` count from the settings' folder."""

    host: str
    site: str = "main"
    port: int | None = None
    ca_file: str | None = None
    password_file: str | None = None


class Places(Struct, frozen=True):
    """Where a table that is no service of the machine keeps what a service gets from systemd."""

    socket: str
    journal: str
    keys: str


class Settings(Struct, frozen=True, kw_only=True):
    """Everything that was asked."""

    id: str
    rulebook: str
    seats: tuple[int, ...]
    small: int
    big: int
    devices: tuple[Fitted, ...]
    room: Room | None = None
    places: Places | None = None


def text(settings: Settings) -> str:
    """The file."""
    parts = [_table(settings)]
    parts += [_port(each) for each in settings.devices]
    parts += [_deck(settings), _room(settings), _places(settings.places)]
    return "\n".join(parts)


def unread(settings: Settings) -> list[str]:
    """The zones of the table that no antenna reads."""
    read = {zone for each in settings.devices for zone in each.zones}
    if any(zone.startswith("board/") for zone in read):
        read.add("board")
    return [zone for zone in wanted(settings.seats) if zone not in read]


def write(
    path: Path, content: str, environment: Mapping[str, str], *, replace: bool = False
) -> TableConfig:
    """Write the file if `cutcard table` would take it, and return what it says.

    It is readable by all, since it holds no secret. A file that is there stays as it is unless
    it may be replaced. Raises ConfigError, or OSError.
    """
    handle, name = tempfile.mkstemp(prefix=".init-", suffix=".toml", dir=path.absolute().parent)
    draft = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        try:
            load_table_config(draft, environment)
        except ConfigError as error:
            raise ConfigError(str(error).replace(str(draft), str(path))) from None
        draft.chmod(0o644)
        if replace:
            draft.replace(path)
        else:
            os.link(draft, path)
    finally:
        draft.unlink(missing_ok=True)
    return load_table_config(path, environment)


def write_secret(path: Path, secret: str) -> None:
    """Write a file for its owner alone, whole or not; one that is there is replaced. Raises
    OSError."""
    handle, name = tempfile.mkstemp(prefix=".init-", dir=path.absolute().parent)
    draft = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(secret + "\n")
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


def _table(settings: Settings) -> str:
    seats = settings.seats
    whole = seats == tuple(range(1, len(seats) + 1))
    return f"""\
# One table. Written by `cutcard init`, to be changed by hand: `cutcard` refuses keys that it does
# not know, and names the nearest. Paths count from this file's own folder.

[table]
id = {_quote(settings.id)}
rulebook = {_quote(settings.rulebook)}
seats = {len(seats) if whole else list(seats)}
blinds = {{ small = {settings.small}, big = {settings.big} }}
button = {seats[0]}
# stack = 10000                 # what everyone starts with; without it no pot is counted out
# mode = "tournament"           # or "cash"
"""


def _port(fitted: Fitted) -> str:
    answer = fitted.answer
    manner = answer.manner
    lines = [f"# {answer.firmware}" if answer.firmware.isprintable() else "#"]
    lines += ["[[port]]", f"device = {_quote(answer.port)}"]
    if manner.family is not USUAL:
        lines.append(f"reader = {_quote(manner.family.name)}")
    if answer.id:
        lines.append(f"id = {_quote(answer.id)}   # the board's: found by it under any name")
    if manner != as_delivered(manner.family):
        lines += [f"baud = {manner.baud}", f"parity = {_quote(manner.parity)}"]
    lines.append("# Its antennas, in the device's own order.")
    lines += _list("zones", [_quote(zone) for zone in fitted.zones])
    if fitted.buttons:
        lines.append("# Its buttons, likewise: which seat's, and what a press means.")
        lines += _buttons(fitted.buttons)
    if fitted.lamps:
        lines += _list("lamps", [str(seat) for seat in fitted.lamps])
    return "\n".join(lines) + "\n"


def _buttons(buttons: Sequence[tuple[int, str]]) -> list[str]:
    seats = list(dict.fromkeys(seat for seat, _ in buttons))
    labels = list(dict.fromkeys(label for _, label in buttons))
    if list(buttons) == [(seat, label) for seat in seats for label in labels]:
        said = ", ".join(_quote(label) for label in labels)
        return [f"buttons = {{ seats = {seats}, labels = [{said}] }}"]
    return _list("buttons", [f"[{seat}, {_quote(label)}]" for seat, label in buttons])


def _deck(settings: Settings) -> str:
    if settings.places is not None:
        return """\
[deck]
# Which tag is which card: `cutcard deck enroll` writes it. Whoever can read it can rob the game.
file = "deck.toml"
"""
    return """\
[deck]
# Which tag is which card: `cutcard deck enroll`, as root, writes the credential `cutcard.deck`,
# which systemd hands to the service alone. A file of your own instead:
# file = "deck.toml"
"""


def _room(settings: Settings) -> str:
    room = settings.room
    if room is None:
        return "# No [broker]: this table has no room.\n"
    lines = ["[broker]", f"host = {_quote(room.host)}", f"site = {_quote(room.site)}"]
    if room.port is not None:
        lines.append(f"port = {room.port}")
    lines.append(f'# user = "table-{settings.id}"')
    if room.ca_file is None:
        lines.append('# ca_file = "ca.pem"             # turns TLS on')
    else:
        lines.append(f"ca_file = {_quote(room.ca_file)}")
    if room.password_file is not None:
        lines.append(f"password_file = {_quote(room.password_file)}")
    return "\n".join(lines) + "\n"


def _places(places: Places | None) -> str:
    if places is None:
        return "# [screen] and [journal]: as systemd gives them to the service.\n"
    return f"""\
[screen]
socket = {_quote(places.socket)}

[journal]
path = {_quote(places.journal)}
keys = {_quote(places.keys)}         # belongs on a tmpfs, never on the card
"""


def _list(key: str, items: Collection[str]) -> list[str]:
    line = f"{key} = [{', '.join(items)}]"
    if len(line) <= LONGEST_LINE:
        return [line]
    lines, row = [f"{key} = ["], "   "
    for item in items:
        if len(row) + len(item) + 2 > LONGEST_LINE:
            lines.append(row)
            row = "   "
        row += f" {item},"
    return [*lines, row, "]"]


def _quote(value: str) -> str:
    """A TOML basic string; JSON's escapes are a part of TOML's."""
    return json.dumps(value, ensure_ascii=False)
