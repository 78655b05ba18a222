"""A value set in a TOML file that a person has written: all else in it stays, comments too."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from controller.files.toml_file import ConfigError, parse_toml

Value = str | int | bool | Sequence[int] | Mapping[str, int]


def with_value(path: Path, text: str, section: str, key: str, value: Value | None) -> str:
    """The text of a file with `[section] key` set to a value, or with None commented out.

    A line `# key = …` is taken for it where there is one. Raises ConfigError where the text is no
    TOML, and where it is written in a way that would change more than this.
    """
    wanted = _with(parse_toml(path, text), section, key, value)
    lines = text.splitlines(keepends=True)
    begin, end = _section(lines, section)
    at = _line(lines, begin, end, rf"{re.escape(key)}[ \t]*=")
    if value is None:
        if at is not None:
            lines[at] = f"# {lines[at]}"
    elif at is not None or (at := _line(lines, begin, end, rf"#[ \t]?{re.escape(key)}[ \t]*=")):
        lines[at] = _replaced(path, lines[at], f"{key} = {written(value)}")
    else:
        if lines and not lines[-1].endswith("\n"):
            lines[-1] += "\n"
        if begin == 0:
            lines += [*(["\n"] if lines else []), f"[{section}]\n"]
            begin = len(lines)
        lines.insert(begin, f"{key} = {written(value)}\n")
    changed = "".join(lines)
    if _parsed(path, changed) != wanted:
        raise ConfigError(
            f"{path}: [{section}] {key} can't be changed from here: "
            f"{'take it out' if value is None else f'set it to {written(value)}'} with an editor"
        )
    return changed


def written(value: Value) -> str:
    """A value as TOML writes it."""
    if isinstance(value, Mapping):
        return f"{{ {', '.join(f'{key} = {each}' for key, each in value.items())} }}"
    if isinstance(value, str | bool | int):
        return json.dumps(value, ensure_ascii=False)  # JSON's escapes are a part of TOML's
    return f"[{', '.join(map(str, value))}]"


def _with(raw: dict[str, Any], section: str, key: str, value: Value | None) -> dict[str, Any]:
    changed = copy.deepcopy(raw)
    if value is None:
        changed.get(section, {}).pop(key, None)
        return changed
    plain: Any = value
    if isinstance(value, Mapping):
        plain = dict(value)
    elif not isinstance(value, str | int):
        plain = list(value)
    changed.setdefault(section, {})[key] = plain
    return changed


def _parsed(path: Path, text: str) -> dict[str, Any] | None:
    try:
        return parse_toml(path, text)
    except ConfigError:
        return None


def _section(lines: Sequence[str], name: str) -> tuple[int, int]:
    """The lines after a section's header, up to the next one; (0, 0) where there is none."""
    header = re.compile(rf"[ \t]*\[[ \t]*{re.escape(name)}[ \t]*\][ \t]*(#.*)?\s*")
    begin = next((n for n, line in enumerate(lines, 1) if header.fullmatch(line)), 0)
    if begin == 0:
        return 0, 0
    after = enumerate(lines[begin:], begin)
    return begin, next((n for n, line in after if line.lstrip().startswith("[")), len(lines))


def _line(lines: Sequence[str], begin: int, end: int, pattern: str) -> int | None:
    found = re.compile(rf"[ \t]*{pattern}")
    return next((n for n in range(begin, end) if found.match(lines[n])), None)


def _replaced(path: Path, line: str, setting: str) -> str:
    """The line with another setting, and with its comment where that was."""
    before = line.rstrip("\n").lstrip("# \t")
    places = [found.start() for found in re.finditer("#", before)]
    at = next((each for each in places if _parsed(path, before[:each]) is not None), None)
    if at is None:
        return f"{setting}\n"
    column = len(line.rstrip("\n")) - len(before) + at
    return f"{setting:{column - 1}} {before[at:]}\n"
