"""The lines of `table.toml` that pairing changes; all others stay as somebody wrote them. Pure but
for the name of the file."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from controller.files.toml_file import ConfigError, convert, parse_toml
from controller.table.sections import TableFile

_HEADER = re.compile(r"^\s*\[")
_KEY = re.compile(r"^\s*([A-Za-z0-9_-]+)\s*=")
_OURS = ("host", "site", "port", "user", "ca_file", "password_file")
"""What the room says, or what follows from it: the user from the table's id, and the password is
the credential."""


def with_room(path: Path, text: str, *, table: str, broker: Mapping[str, str | int]) -> str:
    """A table's settings in another room, under the id that the room knows. Raises ConfigError
    where they are no settings, or are written so that this can't be done line by line."""
    before = parse_toml(path, text)
    lines = text.splitlines(keepends=True)
    if lines and not lines[-1].endswith("\n"):
        lines[-1] += "\n"
    _set_id(lines, table)
    _set_broker(lines, broker)
    changed = "".join(lines)
    wanted: dict[str, Any] = {**before, "table": {**before.get("table", {}), "id": table}}
    kept = {key: value for key, value in before.get("broker", {}).items() if key not in _OURS}
    wanted["broker"] = {**broker, **kept}
    try:
        is_so = parse_toml(path, changed) == wanted
    except ConfigError:
        is_so = False
    if not is_so:
        raise ConfigError(
            f"{path}: [table] id and [broker] are written so that they can't be changed here; "
            "give each key of them a line of its own"
        )
    convert(path, wanted, TableFile)
    return changed


def _set_id(lines: list[str], table: str) -> None:
    begin, end = _section(lines, "table")
    for at in range(begin, end):
        found = re.match(r"""(\s*id\s*=\s*)("[^"\\]*"|'[^']*')(.*)$""", lines[at], re.DOTALL)
        if found:
            lines[at] = f'{found[1]}"{table}"{found[3]}'


def _set_broker(lines: list[str], broker: Mapping[str, str | int]) -> None:
    ours = [f"{key} = {_value(value)}\n" for key, value in broker.items()]
    begin, end = _section(lines, "broker")
    if begin == end == 0:
        lines += ["\n", "[broker]\n", *ours]
        return
    others = [
        line for line in lines[begin:end] if not ((key := _KEY.match(line)) and key[1] in _OURS)
    ]
    lines[begin:end] = [*ours, *others]


def _section(lines: list[str], name: str) -> tuple[int, int]:
    """From the line after a section's header to the next header; (0, 0) where there is none."""
    header = re.compile(rf"^\s*\[\s*{name}\s*\]\s*(#.*)?$")
    begin = next((at for at, line in enumerate(lines, 1) if header.match(line)), 0)
    if not begin:
        return 0, 0
    after = (at for at in range(begin, len(lines)) if _HEADER.match(lines[at]))
    return begin, next(after, len(lines))


def _value(value: str | int) -> str:
    return str(value) if isinstance(value, int) else f'"{value}"'
