"""Reads language files (`config/languages/*.toml`) and refuses what is wrong in them.

The English file that comes with the program is the pattern: another one has the same sections
and keys, and each text the same words in braces. A house may add steps of its own.
"""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Mapping
from functools import cache
from pathlib import Path

from controller.observations import nearest
from controller.settings import config_dir
from controller.texts import Texts, blanks

PATTERN = "en"
STEP_WORDS = frozenset({"street", "next", "seats", "due", "owner", "uncalled"})
"""What may be filled into the text of a step."""
ENGINE = ("steps", "prompts", "findings", "streets", "entries", "zones")
"""The sections that hold the engine's words."""
_OWN = "steps"

Section = Mapping[str, str]


class LanguageError(ValueError):
    """A language file is missing or wrong: names file, key and the nearest valid name."""


def languages(config: Path) -> list[str]:
    """The languages of which there is a file under a `config` folder."""
    return sorted(path.stem for path in config.glob("languages/*.toml"))


def path_of(config: Path, language: str) -> Path:
    """The file of a language under a `config` folder; raises LanguageError if there is none."""
    names = languages(config)
    if language not in names:
        raise LanguageError(f"unknown language '{language[:60]}'{nearest(language, names)}")
    return config / "languages" / f"{language}.toml"


def read(path: Path, parts: Collection[str]) -> dict[str, Section]:
    """The sections of a file by name, `account.until` after its parent; `parts` are the outer
    sections that are wanted and checked. Raises LanguageError."""
    found, pattern = _sections(path), _pattern()
    wanted = [name for name in pattern if _outer(name) in parts]
    for name in found:
        if name not in pattern:
            raise LanguageError(f"{path}: unknown section [{name}]{nearest(name, pattern)}")
    for name in pattern:
        if name in wanted and name not in found:
            raise LanguageError(f"{path}: section [{name}] is missing")
    for name in wanted:
        keys = {key: blanks(text) for key, text in pattern[name].items()}
        check(path, name, found[name], keys, own=STEP_WORDS if name == _OWN else None)
    return {name: section for name, section in found.items() if name in wanted}


def read_texts(path: Path) -> Texts:
    """The engine's words out of a language file; raises LanguageError."""
    return Texts(**read(path, ENGINE))


def check(
    path: Path,
    name: str,
    section: Mapping[str, object],
    keys: Mapping[str, frozenset[str]],
    own: frozenset[str] | None = None,
) -> None:
    """Raises LanguageError unless section `name` has exactly these keys, and each text its words
    in braces. With `own` it may have more keys, whose texts use no other words than these."""
    missing = [key for key in keys if key not in section]
    for key, text in section.items():
        where = f"{path}: {name}.{key}"
        if key not in keys:
            near = nearest(key, keys if own is None else missing)
            if own is None or near:
                raise LanguageError(f"{path}: unknown key {name}.{key}{near}")
        if not isinstance(text, str):
            raise LanguageError(f"{where} is not a text")
        try:
            words = blanks(text)
        except ValueError as error:
            raise LanguageError(f"{where}: {error}") from error
        allowed = keys.get(key, words & own if own is not None else words)
        if words != allowed:
            listed = ", ".join(f"{{{word}}}" for word in sorted(allowed)) or "no braces"
            raise LanguageError(f"{where} needs {listed}{_nearest(words - allowed, allowed)}")
    if missing:
        raise LanguageError(f"{path}: key {name}.{missing[0]} is missing")


def _nearest(wrong: Collection[str], words: Collection[str]) -> str:
    return next((f" ('{{{word}}}'{near})" for word in wrong if (near := nearest(word, words))), "")


def _outer(name: str) -> str:
    return name.partition(".")[0]


def _sections(path: Path) -> dict[str, Section]:
    try:
        file = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise LanguageError(f"{path}: {error.strerror}") from error
    except ValueError as error:
        raise LanguageError(f"{path}: {error}") from error
    sections: dict[str, Section] = {}
    for name, outer in file.items():
        if not isinstance(outer, dict):
            raise LanguageError(f"{path}: key {name} stands in no section")
        sections[name] = {key: text for key, text in outer.items() if not isinstance(text, dict)}
        for key, inner in outer.items():
            if isinstance(inner, dict):
                sections[f"{name}.{key}"] = inner
    return sections


@cache
def _pattern() -> dict[str, Section]:
    return _sections(config_dir() / "languages" / f"{PATTERN}.toml")
