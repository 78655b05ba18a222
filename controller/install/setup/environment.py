"""Files of variables that units read (`EnvironmentFile=`), and options in them. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence


def variable(text: str, name: str) -> str:
    """The value of a variable; empty where there is none. The last one counts."""
    found = re.findall(rf"^[ \t]*{name}=(.*)$", text, re.MULTILINE)
    return found[-1].strip().strip("\"'") if found else ""


def with_variable(text: str, name: str, value: str) -> str:
    """The file with that value, in the variable's own line or one at the end."""
    if variable(text, name) == value:
        return text
    lines = [
        line for line in text.splitlines(keepends=True) if not re.match(rf"[ \t]*{name}=", line)
    ]
    if lines and not lines[-1].endswith("\n"):
        lines[-1] += "\n"
    return "".join([*lines, *([f"{name}={value}\n"] if value else [])])


def option(words: Sequence[str], name: str) -> str | None:
    """The value of an option, written `--name value` or `--name=value`."""
    for at, word in enumerate(words):
        if word == name:
            return words[at + 1] if at + 1 < len(words) else ""
        if word.startswith(f"{name}="):
            return word.removeprefix(f"{name}=")
    return None


def with_option(words: Sequence[str], name: str, value: str | None) -> tuple[str, ...]:
    """The words with an option of that value, where it was or at the end; None takes it out."""
    if option(words, name) == value:
        return tuple(words)
    kept: list[str] = []
    place: int | None = None
    rest = iter(words)
    for word in rest:
        if word == name:
            next(rest, None)
        elif not word.startswith(f"{name}="):
            kept.append(word)
            continue
        place = len(kept) if place is None else place
    if value is not None:
        at = len(kept) if place is None else place
        kept[at:at] = [name, value]
    return tuple(kept)
