"""The dealer's screen at any moment of a table log.

The engine makes the pictures, the dealer's screen draws them; here the two meet.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from controller.contract.observations import nearest
from controller.library.books import open_library
from controller.replay.moments import moments
from display.dealer import model
from display.dealer.connection import Connection
from display.dealer.replay.watching import Watched, watch
from display.dealer.screen import Screen
from display.dealer.taps import tapped
from display.dealer.texts import available, load


class TapError(ValueError):
    """There is nothing of that name to tap on; the message says what there is."""


class Player:
    """Builds the screens of moments of logs."""

    def __init__(
        self,
        root: Path,
        language: str = "en",
        lost: float | None = None,
        taps: Sequence[str] = (),
    ) -> None:
        """`root` is the folder of languages and rule books. With `lost` it is as if the table had
        not been heard of for so many seconds; `taps` are made before anything is shown.

        Raises `ConfigError`.
        """
        self._texts = load(language, root)
        self._languages = available(root)
        self._library = open_library(root, language)
        self._lost = lost
        self._taps = taps

    def watch(
        self,
        log: str,
        warnings: list[str],
        rulebook: str | None = None,
        until: float | None = None,
    ) -> Iterator[Watched]:
        """Yields what a dealer sees from the beginning of `log` until `until` seconds of it.

        There is at least one. Raises `LogError`, `ConfigError`, `OSError`.
        """
        if rulebook is not None:
            self._library.book(rulebook)
        if log == "-":
            yield from self._watch(log, sys.stdin.buffer, warnings, rulebook, until)
        else:
            with open(log, "rb") as lines:  # noqa: PTH123 - a Path would not take fifos by name
                yield from self._watch(log, lines, warnings, rulebook, until)

    def _watch(
        self,
        name: str,
        lines: Iterable[bytes],
        warnings: list[str],
        rulebook: str | None,
        until: float | None,
    ) -> Iterator[Watched]:
        made = moments(name, lines, self._library, warnings, rulebook=rulebook, until=until)
        return watch((one.t, one.view) for one in made)

    def screen(self, seen: Watched) -> Screen:
        """Returns what is on the screen then, after the taps. Raises `TapError`."""
        cause = "" if self._lost is None else "closed"
        connection = Connection(cause, self._lost or 0.0, seen.bad)
        looking, taps = seen.looking, [*self._taps]
        while True:
            screen = model.build(
                seen.view,
                looking,
                connection,
                self._texts,
                now=seen.t,
                table_time=seen.t,
                languages=self._languages,
            )
            if not taps:
                return screen
            tap, enabled = taps.pop(0), sorted(one.id for one in screen.buttons if one.enabled)
            if tap not in enabled:
                there = nearest(tap, enabled) or f"; there are {', '.join(enabled)}"
                raise TapError(f"--tap {tap}: no such target here{there}")
            looking, _ = tapped(looking, seen.view, tap)
