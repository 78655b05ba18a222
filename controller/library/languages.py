"""Reads language files (`config/languages/*.toml`) and refuses what is wrong in them.

The English file that comes with the program is the pattern: another one has the same sections
and keys, and each text the same words in braces. A house may add steps and lessons of its own.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cache, lru_cache
from pathlib import Path

from controller.contract.observations import nearest
from controller.contract.texts import Texts, blanks
from controller.files.settings import config_dir
from controller.files.toml_file import ConfigError, parse_toml, read_text

PATTERN = "en"
STEP_WORDS = frozenset({"street", "next", "seats", "due", "owner", "uncalled"})
"""What may be filled into the text of a step."""
ENGINE = ("steps", "prompts", "findings", "streets", "entries", "zones", "hands")
"""The sections that hold the engine's words."""
LESSONS = "lessons"
"""The section of a training's lessons."""
_OWN = {
    "steps": STEP_WORDS,
    **{f"{LESSONS}.{part}": frozenset[str]() for part in ("title", "learn", "first")},
}
"""The sections to which a house may add, and the words its texts may have filled in."""

Section = Mapping[str, str]


def languages(config: Path) -> list[str]:
    """The languages of which there is a file under a `config` folder."""
    return sorted(path.stem for path in config.glob("languages/*.toml"))


def path_of(config: Path, language: str) -> Path:
    """The file of a language under a `config` folder; raises ConfigError if there is none."""
    names = languages(config)
    if language not in names:
        raise ConfigError(f"unknown language '{language[:60]}'{nearest(language, names)}")
    return config / "languages" / f"{language}.toml"


def read(path: Path, parts: Collection[str]) -> dict[str, Section]:
    """The sections of a file by name, `account.until` after its parent; `parts` are the outer
    sections that are wanted and checked. Raises ConfigError."""
    found, pattern = _sections(path), _pattern()
    wanted = [name for name in pattern if _outer(name) in parts]
    for name in found:
        if name not in pattern:
            raise ConfigError(f"{path}: unknown section [{name}]{nearest(name, pattern)}")
    for name in pattern:
        if name in wanted and name not in found:
            raise ConfigError(f"{path}: section [{name}] is missing")
    for name in wanted:
        keys = {key: blanks(text) for key, text in pattern[name].items()}
        check(path, name, found[name], keys, own=_OWN.get(name))
    return {name: section for name, section in found.items() if name in wanted}


def section(config: Path, language: str, name: str) -> Section:
    """One section of a language under a `config` folder; raises ConfigError."""
    return read(path_of(config, language), (name,))[name]


def keys(name: str) -> Section:
    """What a section of every language has, with the English texts."""
    return _pattern()[name]


def read_texts(path: Path) -> Texts:
    """The engine's words out of a language file; raises ConfigError."""
    return Texts(**read(path, ENGINE))


def check(
    path: Path,
    name: str,
    section: Mapping[str, object],
    keys: Mapping[str, frozenset[str]],
    own: frozenset[str] | None = None,
) -> None:
    """Raises ConfigError unless section `name` has exactly these keys, and each text its words
    in braces. With `own` it may have more keys, whose texts use no other words than these."""
    missing = [key for key in keys if key not in section]
    for key, text in section.items():
        where = f"{path}: {name}.{key}"
        if key not in keys:
            near = nearest(key, keys if own is None else missing)
            if own is None or near:
                raise ConfigError(f"{path}: unknown key {name}.{key}{near}")
        if not isinstance(text, str):
            raise ConfigError(f"{where} is not text")
        try:
            words = blanks(text)
        except ValueError as error:
            raise ConfigError(f"{where}: {error}") from error
        allowed = keys.get(key, words & own if own is not None else words)
        if words != allowed:
            listed = ", ".join(f"{{{word}}}" for word in sorted(allowed)) or "no braces"
            raise ConfigError(f"{where} needs {listed}{_nearest(words - allowed, allowed)}")
    if missing:
        raise ConfigError(f"{path}: key {name}.{missing[0]} is missing")


def _nearest(wrong: Collection[str], words: Collection[str]) -> str:
    return next((f" ('{{{word}}}'{near})" for word in wrong if (near := nearest(word, words))), "")


def _outer(name: str) -> str:
    return name.partition(".")[0]


def _sections(path: Path) -> dict[str, Section]:
    return dict(_parsed(path, read_text(path)))


@lru_cache(maxsize=16)
def _parsed(path: Path, text: str) -> Mapping[str, Section]:
    """A text is the same for everybody, and long."""
    sections: dict[str, Section] = {}
    for name, outer in parse_toml(path, text, may_quote=True).items():
        if not isinstance(outer, dict):
            raise ConfigError(f"{path}: key {name} is in no section")
        sections[name] = {key: text for key, text in outer.items() if not isinstance(text, dict)}
        for key, inner in outer.items():
            if isinstance(inner, dict):
                sections[f"{name}.{key}"] = inner
    return sections


@cache
def _pattern() -> dict[str, Section]:
    return _sections(config_dir() / "languages" / f"{PATTERN}.toml")
