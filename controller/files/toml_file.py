"""Files in TOML that people write: a mistake is one line that names file, key and nearest name."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from controller.contract.misfit import Misfit, Place, misfit, unknown_field
from controller.contract.observations import nearest

LONGEST_FILE = 1 << 20

S = TypeVar("S", bound=Struct)


class ConfigError(ValueError):
    """A mistake in a file: one line for the user, which never contains a tag."""


def read_text(path: Path) -> str:
    """The text of a file of a megabyte at most. Raises ConfigError."""
    try:
        with path.open("rb") as file:
            data = file.read(LONGEST_FILE + 1)
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror}") from None
    if len(data) > LONGEST_FILE:
        raise ConfigError(f"{path}: longer than a megabyte, this is not a settings file")
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise ConfigError(f"{path}: this is not UTF-8 text") from None


def read_toml(path: Path, *, may_quote: bool = False) -> dict[str, Any]:
    """The contents of a TOML file. Raises ConfigError, which quotes from the file only where it
    `may_quote`."""
    return parse_toml(path, read_text(path), may_quote=may_quote)


def parse_toml(path: Path, text: str, *, may_quote: bool = False) -> dict[str, Any]:
    """The same of a file whose text has been read."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        text = str(error)
        if may_quote:
            raise ConfigError(f"{path}: {text}") from None
        # Only the place: the rest may quote a key, and a key may be a tag.
        place = re.search(r"at (line \d+, column \d+|end of document)", text)
        raise ConfigError(f"{path}: {place[1] if place else 'somewhere'}: not TOML") from None


def in_sections(found: Misfit) -> str:
    """What does not fit a file of sections, with the place in front as it is written there."""
    if found.unknown is not None:
        what = "no key" if found.at else "no section"
        named = f"{what} {found.unknown[:40]!r} here{nearest(found.unknown, found.names)}"
        section, key = _section(found.at, " ")
        return " ".join(filter(None, (section, key, named)))
    section, key = _section(found.at, ".")
    place = " ".join(filter(None, (section, key)))
    if place and found.too_much:
        return f"{place} {found.too_much}"
    return f"{place}: {plain(found)}" if place else plain(found)


def plain(found: Misfit) -> str:
    """What does not fit where its place is named already."""
    if found.missing is not None:
        return f"lacks {found.missing}"
    return found.too_much or found.what.replace("`", "").replace("Expected", "expected")


def convert(
    path: Path, raw: Mapping[str, Any], kind: type[S], say: Callable[[Misfit], str] = in_sections
) -> S:
    """What was read from a file as a `kind`; `say` puts into words what does not fit it. Raises
    ConfigError."""
    found = unknown_field(raw, kind)
    if found is None:
        try:
            return msgspec.convert(raw, kind)
        except msgspec.ValidationError as error:
            found = misfit(error, kind)
    raise ConfigError(f"{path}: {say(found)}")


def _section(at: Place, dot: str) -> tuple[str, str]:
    """The section and the key in it, as people count and write them."""
    match at:
        case (str(name), int(index), *rest):
            section = f"[[{name}]] {index + 1}"
        case (name, *rest):
            section = f"[{name}]"
        case _:
            return "", ""
    key = "".join(f" {part + 1}" if isinstance(part, int) else f"{dot}{part[:40]}" for part in rest)
    return section, key.removeprefix(dot)
