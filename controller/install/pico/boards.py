"""What is soldered to which Pico: the boards of the guide, and where a table's settings differ.

A board is a few keys, the names in `firmware_bridge/pico/wiring.py` in lower case. The guide's are
`config/boards/*.toml`; a section [boards.A] of a table's settings says what is different at that
table, or with `like` that a board is soldered as another one.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from controller.contract.observations import nearest
from controller.files.settings import config_dir
from controller.files.toml_file import ConfigError, read_toml
from controller.table.sections import TableFile
from firmware_bridge.flashing.form import WiringError, keys, values_of, written

_ABOUT, _LIKE = "about", "like"


class Board(Struct, frozen=True):
    """One Pico: its label, what hangs on it in words, and its `wiring.py`."""

    label: str
    about: str
    wiring: str
    source: str

    @property
    def counts(self) -> tuple[int, int, int]:
        """How many zones, buttons and lamps it has, as HELLO will say them."""
        return counts(self.wiring)


class _Counted(Struct):
    ZONES: tuple[Any, ...]
    BUTTONS: tuple[Any, ...]
    LAMPS: tuple[int, int]


def counts(wiring: str) -> tuple[int, int, int]:
    """Zones, buttons and lamps of a `wiring.py`."""
    found = msgspec.convert(values_of(wiring), _Counted)
    return len(found.ZONES), len(found.BUTTONS), found.LAMPS[1]


def labels(config: Path | None, data: Path | None = None) -> tuple[str, ...]:
    """The boards that there are, by their labels."""
    shipped = {path.stem for path in ((data or config_dir()) / "boards").glob("*.toml")}
    return tuple(sorted(shipped | _sections(config).keys()))


def board(label: str, config: Path | None, data: Path | None = None) -> Board:
    """The board with that label; `config` is the file with a table's settings, if there is one.

    Raises ConfigError, which names file, section and key.
    """
    folder = (data or config_dir()) / "boards"
    section = _sections(config).get(label)
    if section is None:
        values, source = (
            _shipped(label, folder, labels(config, data)),
            f"config/boards/{label}.toml",
        )
        where = str(folder / f"{label}.toml")
    else:
        where = f"{config}: [boards.{label}]"
        _check_keys(where, section)
        own = (folder / f"{label}.toml").is_file()
        like = section.get(_LIKE, label if own else None)
        if like is None:
            raise ConfigError(f'{where}: there is no such board in the guide: say like = "A"')
        names = tuple(path.stem for path in folder.glob("*.toml"))
        if like not in names:
            raise ConfigError(
                f"{where} like: there is no board {like!r:.40}{nearest(str(like), names)}"
            )
        values = _shipped(like, folder, names) | section
        source = f"[boards.{label}] of {config.name if config else ''}, like {like}"
    about = str(values.pop(_ABOUT, ""))
    values.pop(_LIKE, None)
    title = f"What hangs on Pico {label}, by GPIO number. Written by `cutcard pico` from {source}."
    try:
        return Board(label, about, written(values, title), source)
    except WiringError as error:
        place = f"{where} {error.key}" if error.key else where
        raise ConfigError(f"{place}: {error}") from None


def _sections(config: Path | None) -> dict[str, dict[str, Any]]:
    if config is None:
        return {}
    raw = read_toml(config)
    for name in raw:
        if name not in TableFile.__struct_fields__:
            close = nearest(name, TableFile.__struct_fields__)
            raise ConfigError(f"{config}: no section {name[:40]!r} here{close}")
    try:
        return msgspec.convert(raw.get("boards", {}), dict[str, dict[str, Any]])
    except msgspec.ValidationError as error:
        raise ConfigError(f"{config}: [boards]: {error}") from None


def _shipped(label: str, folder: Path, names: tuple[str, ...]) -> dict[str, Any]:
    path = folder / f"{label}.toml"
    if not path.is_file():
        raise ConfigError(
            f"there is no board {label[:40]!r}: {', '.join(names)}{nearest(label, names)}"
        )
    values = read_toml(path)
    _check_keys(str(path), values)
    if _LIKE in values:
        values = _shipped(str(values.pop(_LIKE)), folder, names) | values
    return values


def _check_keys(where: str, values: Mapping[str, object]) -> None:
    known = (_ABOUT, _LIKE, *keys())
    for name in values:
        if name not in known:
            raise ConfigError(f"{where}: no key {name[:40]!r} here{nearest(name, known)}")
