"""Answers in a file, in place of a person's: `config/setup/` shows each with its meaning."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from msgspec import Struct

from controller.files.settings import config_dir
from controller.files.toml_file import convert, read_toml
from controller.install.init_ask import Questions

S = TypeVar("S", bound=Struct)
T = TypeVar("T")
Given = str | int | bool | None


def example(what: str) -> str:
    """The file to begin with."""
    return (config_dir() / "setup" / f"{what}.toml").read_text(encoding="utf-8")


def read_answers(path: Path, kind: type[S]) -> S:
    """What is in a file. Raises ConfigError."""
    return convert(path, read_toml(path), kind)


class Answers:
    """Asks what a file has not answered; with a file nobody is asked."""

    def __init__(self, asker: Questions, file: Path | None) -> None:
        self.asker = asker
        self.file = file

    def ask(
        self,
        question: str,
        default: str,
        parse: Callable[[str], T],
        *,
        means: str = "",
        given: Given = None,
        key: str,
    ) -> T:
        """The answer; `key` is where the file has it. Raises GivenError, AnswersEndedError."""
        return self.asker.ask(
            question,
            default,
            parse,
            means=means,
            given=spelt(given),
            option=f"{self.file}: {key}",
        )

    def agrees(
        self, question: str, *, default: bool, means: str = "", given: bool | None = None
    ) -> bool:
        """Yes or no, likewise."""
        if given is not None:
            self.asker.tell(f"{question}: {spelt(given)}")
            return given
        return self.asker.agree(question, default=default, means=means)


def spelt(given: Given) -> str | None:
    """A value of the file as a person would have typed it."""
    if isinstance(given, bool):
        return "yes" if given else "no"
    return None if given is None else str(given)
