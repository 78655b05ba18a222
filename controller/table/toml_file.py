"""Settings in TOML, read strictly: a mistake is one line that names file, key and nearest name."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, TypeVar, get_args, get_origin

import msgspec
from msgspec import Struct

from controller.observations import nearest

LONGEST_FILE = 1 << 20

S = TypeVar("S", bound=Struct)


class ConfigError(ValueError):
    """A mistake in a settings file: one line for the user, which never contains a tag."""


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


def read_toml(path: Path) -> dict[str, Any]:
    """The contents of a TOML file. Raises ConfigError."""
    try:
        return tomllib.loads(read_text(path))
    except tomllib.TOMLDecodeError as error:
        text = str(error)
        # Only the place: the rest may quote a key, and a key may be a tag.
        place = re.search(r"at (line \d+, column \d+|end of document)", text)
        raise ConfigError(f"{path}: {place[1] if place else 'somewhere'}: not TOML") from None


def convert(path: Path, raw: Mapping[str, Any], kind: type[S]) -> S:
    """`raw` as a `kind`, whose fields are sections. Raises ConfigError."""
    _refuse_unknown(f"{path}:", raw, kind, top=True)
    try:
        return msgspec.convert(raw, kind)
    except msgspec.ValidationError as error:
        raise ConfigError(f"{path}: {_plain(str(error))}") from None


def _refuse_unknown(where: str, given: object, kind: object, *, top: bool = False) -> None:
    """Refuses keys that the struct in `kind` lacks, at any depth."""
    struct = _struct_in(kind)
    if struct is None:
        return
    if get_origin(kind) is Annotated:
        kind = get_args(kind)[0]
    if get_origin(kind) is dict and isinstance(given, dict):
        for key, value in given.items():
            _refuse_unknown(f"{where} {key[:40]}", value, struct)
    elif isinstance(given, list):
        for number, each in enumerate(given, 1):
            _refuse_unknown(f"{where} {number}", each, struct)
    elif isinstance(given, dict):
        known = {field.encode_name: field.type for field in msgspec.structs.fields(struct)}
        for key, value in given.items():
            if key not in known:
                what = "no section" if top else "no key"
                raise ConfigError(f"{where} {what} {key[:40]!r} here{nearest(key, known)}")
            head = (f"[[{key}]]" if isinstance(value, list) else f"[{key}]") if top else key
            _refuse_unknown(f"{where} {head}", value, known[key])


def _struct_in(kind: object) -> type[Struct] | None:
    """The struct that an annotation is about, such as that of a tuple of structs."""
    if isinstance(kind, type) and issubclass(kind, Struct):
        return kind
    return next((found for part in get_args(kind) if (found := _struct_in(part))), None)


def _plain(text: str) -> str:
    """msgspec's message with the place in front, as it is written in the file."""
    what, _, at = text.replace("`", "").partition(" - at ")
    what = what.replace("Object missing required field", "lacks").replace("Expected", "expected")
    at = re.sub(r"^\$\.?", "", at)
    at = re.sub(r"\[(\d+)\]", lambda found: f" {int(found[1]) + 1}", at).replace("[...]", "")
    section, dot, key = at.partition(".")
    if not section:
        return what
    name, space, number = section.partition(" ")
    head = f"[[{name}]] {number}" if space else f"[{name}]"
    return f"{head}{' ' + key if dot else ''}: {what}"
