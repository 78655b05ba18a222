"""Questions at a terminal: each with what it means and a default; a mistake is asked again."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from controller.install.init_plan import AnswerError

T = TypeVar("T")


class AnswersEndedError(Exception):
    """Nobody is there to answer."""


class GivenError(Exception):
    """An option's value can't be taken: one line that names the option."""


class NotWrittenError(Exception):
    """Nothing was written: one line says why. `status` is the command's."""

    def __init__(self, why: str, status: int = 1) -> None:
        super().__init__(why)
        self.status = status


class Questions:
    """Asks one question after the other. `say` writes text as it is, `read` gives a line with its
    end, or nothing once there are no more. With `defaults` nobody is asked."""

    def __init__(
        self, say: Callable[[str], None], read: Callable[[], str], *, defaults: bool
    ) -> None:
        self._say = say
        self._read = read
        self.defaults = defaults

    def tell(self, line: str = "") -> None:
        """A line."""
        self._say(line + "\n")

    def ask(
        self,
        question: str,
        default: str,
        parse: Callable[[str], T],
        *,
        means: str = "",
        given: str | None = None,
        option: str = "",
    ) -> T:
        """The answer as `parse` takes it, which raises AnswerError for what can't be one.

        What was `given` by an `option` is not asked. Raises GivenError, AnswersEndedError.
        """
        if given is not None:
            try:
                value = parse(given)
            except AnswerError as error:
                raise GivenError(f"{option}: {error}") from None
            self.tell(f"{question}: {given}")
            return value
        if self.defaults:
            self.tell(f"{question}: {default}")
            return parse(default)
        self.tell()
        if means:
            self.tell(means)
        while True:
            self._say(f"{question} [{default}]: ")
            line = self._read()
            if not line:
                raise AnswersEndedError(question)
            try:
                return parse(" ".join(line.split()) or default)
            except AnswerError as error:
                self.tell(f"  {error}.")

    def agree(self, question: str, *, default: bool, means: str = "") -> bool:
        """Yes or no."""
        return self.ask(question, "yes" if default else "no", _yes_or_no, means=means)


def _yes_or_no(text: str) -> bool:
    if text.lower() in {"y", "yes"}:
        return True
    if text.lower() in {"n", "no"}:
        return False
    raise AnswerError("yes or no")
