"""Which rules the books cite: in the rulings of each finding, and for what the dealer is told.

No more is read of a book, and nothing is checked: `books` does that. Whoever only looks rules up
needs none of what the rules do.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from controller.files.toml_file import ConfigError, read_toml


class CitingEntry(Struct, frozen=True):
    """A ruling: the codes of its findings, with a `|` between them, and the rules it cites."""

    finding: str
    cites: tuple[str, ...] = ()


class Citations(Struct, frozen=True):
    """Of one book, with the layers below it: its rulings, and by each prompt its rules."""

    entries: tuple[CitingEntry, ...]
    prompts: Mapping[str, tuple[str, ...]]


class _File(Struct, frozen=True):
    over: str | None = None
    fills: tuple[str, ...] = ()
    cite_as: dict[str, str] = {}
    prompts: dict[str, tuple[str, ...]] = {}
    ruling: tuple[CitingEntry, ...] = ()


def read_citations(config: Path) -> Mapping[str, Citations]:
    """Of the rule books under a `config` folder, by their ids; raises `ConfigError`."""
    folder = config / "rulebooks"
    files = {path.stem: _read(path) for path in sorted(folder.glob("*.toml"))}
    return {name: _with_layers(files, name) for name in files}


def filled(
    cites: Sequence[str], cite_as: Mapping[str, str], fills: Sequence[str]
) -> tuple[str, ...]:
    """A lower layer's rules as the book above cites them."""
    split = (rule.partition("-") for rule in cites)
    again = (f"{cite_as.get(prefix, prefix)}-{rest}" for prefix, _, rest in split)
    return tuple(dict.fromkeys((*again, *fills)))


def _read(path: Path) -> _File:
    try:
        return msgspec.convert(read_toml(path, may_quote=True), _File)
    except msgspec.ValidationError as error:
        raise ConfigError(f"{path}: {error}") from None


def _with_layers(files: Mapping[str, _File], name: str) -> Citations:
    file = files[name]
    if file.over is None or file.over not in files:
        return Citations(file.ruling, file.prompts)
    others = {each: files[each] for each in files if each != name}  # none lies over itself
    below = _with_layers(others, file.over)
    entries = (
        CitingEntry(entry.finding, filled(entry.cites, file.cite_as, file.fills))
        for entry in below.entries
    )
    prompts = {
        text_id: filled(cites, file.cite_as, file.fills) for text_id, cites in below.prompts.items()
    }
    return Citations((*file.ruling, *entries), prompts | file.prompts)
