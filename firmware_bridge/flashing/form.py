"""A board's `wiring.py`, written from settings: the supplied file is the form that is filled in.

Its names in lower case are the keys, its comments stay, and what a board does not say is as
supplied. So a name that the firmware learns is a key at once.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

from firmware_bridge.pico import SHIPPED

_TRY = Path(__file__).with_name("try_wiring.py")
_FORM = {"TypeError", "KeyError", "AttributeError", "IndexError"}
_WIDTH = 96
_BUSES = {"spi"}


class WiringError(ValueError):
    """What is soldered to a board can't be; `key` is where it is said, if it is one key."""

    def __init__(self, text: str, key: str = "") -> None:
        super().__init__(text)
        self.key = key


def keys() -> tuple[str, ...]:
    """What can be said of a board, in the order of the file."""
    return tuple(name for name, _ in _assignments(ast.parse(SHIPPED.read_text("utf-8"))))


def written(values: Mapping[str, object], title: str) -> str:
    """The file, with `title` as its first line. Raises WiringError where the firmware would refuse
    it, and KeyError for what is no key."""
    text = SHIPPED.read_text("utf-8")
    tree = ast.parse(text)
    places = dict(_assignments(tree))
    lines = text.splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line.encode()))
    data = text.encode()
    changes = [(_span(tree.body[0], starts), f'"""{title}"""'.encode())]
    for key, value in values.items():
        supplied = ast.literal_eval(places[key])
        if not isinstance(value, int if isinstance(supplied, int) else list | tuple):
            kind = "a whole number" if isinstance(supplied, int) else "a list"
            raise WiringError(f"{value!r:.40} is not {kind}", key)
        # TOML has no word for nothing: an empty list says that there is no such bus.
        said = None if key in _BUSES and not value else value
        changes.append((_span(places[key], starts), _spelt(said).encode()))
    for (start, end), new in sorted(changes, reverse=True):
        data = data[:start] + new + data[end:]
    whole = data.decode()
    check(whole)
    return whole


def check(text: str) -> None:
    """Raises WiringError where the firmware would not start with this file: it is asked itself, in
    a process of its own."""
    with NamedTemporaryFile("w", encoding="utf-8", suffix=".py") as file:
        file.write(text)
        file.flush()
        done = subprocess.run(
            [sys.executable, "-I", "-B", str(_TRY), str(SHIPPED.parent), file.name],
            check=False,
            capture_output=True,
            text=True,
        )
    if done.returncode:
        words = (done.stderr.strip() or f"it ended with {done.returncode}").splitlines()[-1]
        raise WiringError(f"the firmware can't be asked about it: {words}")
    said = done.stdout.strip()
    kind, _, words = said.partition(": ")
    if kind == "ValueError":
        raise WiringError(words)
    if kind in _FORM:
        raise WiringError(f"it has not the form that docs/pico.md shows: {words}")
    if kind:
        raise WiringError(said)


def values_of(text: str) -> dict[str, Any]:
    """What a `wiring.py` says, by its names."""
    found = _assignments(ast.parse(text))
    return {name.upper(): ast.literal_eval(value) for name, value in found}


def _assignments(tree: ast.Module) -> list[tuple[str, ast.expr]]:
    return [
        (target.id.lower(), node.value)
        for node in tree.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name) and target.id.isupper()
    ]


def _span(node: ast.expr | ast.stmt, starts: list[int]) -> tuple[int, int]:
    """Where it stands in the file, in bytes."""
    last_line, last_column = node.end_lineno or node.lineno, node.end_col_offset or 0
    return starts[node.lineno - 1] + node.col_offset, starts[last_line - 1] + last_column


def _spelt(value: object) -> str:
    """The value as MicroPython reads it: lists as tuples, a long one an item a line."""
    short = _literal(value)
    if isinstance(value, (list, tuple)) and len(short) > _WIDTH - 12:
        return "(\n" + "".join(f"    {_literal(each)},\n" for each in value) + ")"
    return short


def _literal(value: object) -> str:
    match value:
        case bool() | int() | None:
            return repr(value)
        case str():
            return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
        case list() | tuple():
            inner = ", ".join(_literal(each) for each in value)
            return f"({inner},)" if len(value) == 1 else f"({inner})"
        case dict():
            return "{" + ", ".join(f'"{k}": {_literal(v)}' for k, v in value.items()) + "}"
    raise WiringError(f"{value!r:.60} is neither number, text, list nor table")
