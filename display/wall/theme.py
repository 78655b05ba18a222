"""The wall's colours, from `config/themes/*.toml`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from controller.contract.misfit import Misfit
from controller.contract.observations import nearest
from controller.files.settings import themes
from controller.files.toml_file import ConfigError, convert, read_toml
from display.drawing.colour import Colour, contrast, from_hex

LEAST_CONTRAST = 7.0
LEAST_SHAPE = 3.0
_Code = Annotated[str, Meta(pattern=r"^#[0-9A-Fa-f]{6}(?![\s\S])")]


class Mood(Struct, frozen=True):
    """Colours while the clock runs, stands or on a break; the ground goes from `top` to
    `bottom`, `foot` lies under the last line, `track` is what has passed of the bar."""

    top: Colour
    bottom: Colour
    ink: Colour
    soft: Colour
    accent: Colour
    track: Colour
    foot: Colour


class Patch(Struct, frozen=True):
    """Letters in a box of their own."""

    fill: Colour
    ink: Colour


class Theme(Struct, frozen=True):
    """All colours of the wall. Letters have a contrast of 7:1 wherever they stand."""

    name: str
    level: Mood
    pause: Mood
    halt: Mood
    word: Patch
    notice: Patch
    trouble: Patch


class _Mood(Struct, frozen=True, forbid_unknown_fields=True):
    top: _Code
    bottom: _Code
    ink: _Code
    soft: _Code
    accent: _Code
    track: _Code
    foot: _Code


class _Patch(Struct, frozen=True, forbid_unknown_fields=True):
    fill: _Code
    ink: _Code


class _File(Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    level: _Mood
    paused: _Mood
    word: _Patch
    notice: _Patch
    trouble: _Patch
    pause: _Mood = msgspec.field(name="break")


def load(name: str, config: Path) -> Theme:
    """The theme of that name, or in that file. Raises ConfigError."""
    known = themes(config)
    path = config / "themes" / f"{name}.toml" if name in known else Path(name)
    if name not in known and path.suffix != ".toml":
        near = nearest(name, known) or f"; there are {', '.join(known)}"
        raise ConfigError(f"no theme {name!r}{near}")
    file = convert(path, read_toml(path, may_quote=True), _File, _said)
    theme = Theme(
        file.name,
        _mood(file.level),
        _mood(file.pause),
        _mood(file.paused),
        *(
            Patch(from_hex(one.fill), from_hex(one.ink))
            for one in (file.word, file.notice, file.trouble)
        ),
    )
    for fault in faults(theme):
        raise ConfigError(f"{path}: {fault}")
    return theme


def faults(theme: Theme) -> Iterator[str]:
    """What could not be read from afar."""
    moods = (("level", theme.level), ("break", theme.pause), ("paused", theme.halt))
    for section, mood in moods:
        for ink in ("ink", "soft", "accent"):
            for ground in ("top", "bottom", "foot"):
                found = contrast(getattr(mood, ink), getattr(mood, ground))
                if found < LEAST_CONTRAST:
                    yield _weak(f"{section}.{ink}", f"{section}.{ground}", found, LEAST_CONTRAST)
        found = contrast(mood.accent, mood.track)
        if found < LEAST_SHAPE:
            yield _weak(f"{section}.accent", f"{section}.track", found, LEAST_SHAPE)
    for section, patch in (
        ("word", theme.word),
        ("notice", theme.notice),
        ("trouble", theme.trouble),
    ):
        found = contrast(patch.ink, patch.fill)
        if found < LEAST_CONTRAST:
            yield _weak(f"{section}.ink", f"{section}.fill", found, LEAST_CONTRAST)


def _weak(one: str, other: str, found: float, least: float) -> str:
    return f"{one} on {other} has a contrast of {found:.1f}, at least {least:g} is needed"


def _mood(read: _Mood) -> Mood:
    return Mood(*(from_hex(getattr(read, field)) for field in read.__struct_fields__))


def _said(found: Misfit) -> str:
    if found.unknown is None:
        return str(found)
    key = ".".join(map(str, (*found.at, found.unknown))) if found.at else repr(found.unknown)
    return f"no key {key} here{nearest(found.unknown, found.names)}"
