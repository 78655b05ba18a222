"""What does not fit: the errors of msgspec, which says what and where in one English sentence."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Literal, get_args, get_origin

import msgspec
from msgspec import Struct

Place = tuple[str | int, ...]
"""Where something stands: names, and indexes from 0."""

_PLACED = re.compile(r"(.*?)(?: - at (?:`key` in )?`\$([^`]*)`)?", re.DOTALL)
_PART = re.compile(r"([^.\[\]]+)|\[(\d+)\]|\[[^\]]*\]")
_UNKNOWN = re.compile(r"Object contains unknown field `(.*)`", re.DOTALL)
_MISSING = re.compile(r"Object missing required field `(.*)`", re.DOTALL)
_MORE = re.compile(r"Expected `(?:int|float)(?: \| null)?` <= (-?[\d.]+)")
_HUGE = "Integer value out of range"
_VALUE = re.compile(r"Invalid enum value (['\"])(.*)\1", re.DOTALL)


class Misfit(Struct, frozen=True):
    """`what` is msgspec's sentence without the place, `at` the place.

    At most one is set of `unknown`, a field that there isn't, `missing`, one that has to be there,
    and `value`, one that is none of a few words; `names` are those that there are instead. Of
    msgspec's places the keys of maps are left out, since they may be tags.
    """

    what: str
    at: Place = ()
    unknown: str | None = None
    missing: str | None = None
    value: str | None = None
    names: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.what} - at `${self._path}`" if self.at else self.what

    @property
    def too_much(self) -> str:
        """What is said of a number that is too great, after its name; else empty."""
        if more := _MORE.fullmatch(self.what):
            return f"is more than {more[1] if '.' in more[1] else f'{int(more[1]):,}'}"
        return "is too great a number" if self.what == _HUGE else ""

    @property
    def words(self) -> str:
        """The same in one sentence, in plain words where there are some."""
        if self.at and self.too_much:
            return f"{self._path.removeprefix('.')} {self.too_much}"
        return str(self)

    @property
    def _path(self) -> str:
        return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in self.at)


def misfit(error: msgspec.MsgspecError, kind: object) -> Misfit:
    """What is wrong with something that was to be a `kind`."""
    placed = _PLACED.fullmatch(str(error))
    what, path = (placed[1], placed[2] or "") if placed else (str(error), "")
    parts = _PART.finditer(path)
    at = tuple(int(part[2]) if part[2] else part[1] for part in parts if part[1] or part[2])
    if unknown := _UNKNOWN.fullmatch(what):
        return Misfit(what, at, unknown=unknown[1], names=tuple(_fields(_kind_at(kind, at))))
    if missing := _MISSING.fullmatch(what):
        return Misfit(what, at, missing=missing[1])
    if value := _VALUE.fullmatch(what):
        return Misfit(what, at, value=value[2], names=tuple(_words(_kind_at(kind, at))))
    return Misfit(what, at)


def unknown_field(given: object, kind: object, at: Place = ()) -> Misfit | None:
    """The first field that the structs in `kind` lack, at any depth of what is to be one.

    It finds them where the structs let them pass, and before anything else is wrong.
    """
    fields = _fields(kind)
    inside: list[tuple[str | int, object, object]] = []
    if fields and isinstance(given, list):
        inside = [(number, each, kind) for number, each in enumerate(given)]
    elif fields and isinstance(given, dict):
        if _is_map(kind):
            fields = dict.fromkeys(given, _struct_in(kind))
        inside = [(key, value, fields.get(key)) for key, value in given.items()]
    for part, value, its in inside:
        if isinstance(part, str) and part not in fields:
            what = f"Object contains unknown field `{part}`"
            return Misfit(what, at, unknown=part, names=tuple(fields))
        found = unknown_field(value, its, (*at, part))
        if found is not None:
            return found
    return None


def _kind_at(kind: object, at: Place) -> object:
    for part in at:
        if isinstance(part, str):
            kind = _fields(kind).get(part)
    return kind


def _fields(kind: object) -> Mapping[str, object]:
    """The fields of the struct that an annotation is about."""
    struct = _struct_in(kind)
    if struct is None:
        return {}
    return {field.encode_name: field.type for field in msgspec.structs.fields(struct)}


def _struct_in(kind: object) -> type[Struct] | None:
    """The struct that an annotation is about, such as that of a tuple of structs."""
    if isinstance(kind, type) and issubclass(kind, Struct):
        return kind
    return next((found for part in get_args(kind) if (found := _struct_in(part))), None)


def _is_map(kind: object) -> bool:
    if get_origin(kind) is Annotated:
        return _is_map(get_args(kind)[0])
    return get_origin(kind) is dict


def _words(kind: object) -> list[str]:
    """The words that something may be, whatever else its type says."""
    if get_origin(kind) is Literal:
        return [str(value) for value in get_args(kind)]
    return [word for part in get_args(kind) for word in _words(part)]
