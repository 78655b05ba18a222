"""The pictures of a table, one after the other, that a table log makes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from controller.contract.observations import Observation, Table, Tick
from controller.contract.picture import Picture
from controller.contract.view import TableView
from controller.engine.account import account
from controller.engine.engine import Engine
from controller.files.toml_file import ConfigError
from controller.library.books import Library
from controller.replay.log import LogError, read_log


class Moment(Struct, frozen=True):
    """From `t` on the table's picture was this one."""

    t: float
    view: TableView


class Drawing:
    """The engine and the picture that follows it, one observation after the other."""

    def __init__(self, library: Library, rulebook: str | None = None) -> None:
        """`rulebook` overrides the log's own."""
        self._library = library
        self._rulebook = rulebook
        self._engine = Engine(library.book, rulebook)
        self._picture: Picture | None = None

    @property
    def view(self) -> TableView | None:
        """The table as it stands; None before the first `table` record."""
        return None if self._picture is None else self._picture.view

    def take(self, observation: Observation) -> bool:
        """Takes one observation; True if the picture changed. Raises `ConfigError` for a rule
        book that is none."""
        if isinstance(observation, Table):
            book = self._library.book(self._rulebook or observation.rulebook)
            self._picture = Picture(observation.table, book.id, self._library.texts)
        events = self._engine.observe(observation)
        if self._picture is None:
            return False
        changed = self._picture.take(account(self._engine, observation, events))
        changed |= self._picture.with_sight(self._engine.sight())
        return changed or isinstance(observation, Table)


def moments(
    name: str,
    lines: Iterable[bytes],
    library: Library,
    warnings: list[str],
    *,
    rulebook: str | None = None,
    until: float | None = None,
) -> Iterator[Moment]:
    """Yields the first picture of a log, each that differs from the one before, and the last.

    The last is that of `until`, to which time passes, or of the log's end. What comes later is
    not read. Raises `LogError`, as `read_log` does, and for a rule book that is none.
    """
    drawing = Drawing(library, rulebook)
    t = 0.0
    for number, observation in read_log(name, lines, warnings):
        if observation.t is not None:
            if until is not None and observation.t > until:
                break
            t = observation.t
        try:
            changed = drawing.take(observation)
        except ConfigError as error:
            raise LogError(f"{name}: line {number}: {error}") from None
        if changed and drawing.view is not None:
            yield Moment(t, drawing.view)
    if until is not None and until > t:
        t = until
        drawing.take(Tick(t=t))
    if drawing.view is not None:
        yield Moment(t, drawing.view)
