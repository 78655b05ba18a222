"""Lessons at the dealer's window: what it takes for the table, and what lies over it.

No socket is opened and nothing is published: the table is a log that is played.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

import msgspec

from controller.contract.events import STEP_ENTRIES
from controller.contract.observations import Done, MalformedObservationError, decode
from controller.contract.view import TableView
from controller.library.books import Library
from controller.training.course import Course
from controller.training.lesson import Lesson
from controller.training.results import Result, result_of
from display.dealer.connection import Connection
from display.dealer.looking import Line
from display.dealer.screen import Screen
from display.dealer.texts import Texts
from display.dealer.training.pages import (
    GO_ON,
    LESSON,
    RIBBON,
    Page,
    correction,
    covered,
    introduction,
    menu,
    outcome,
)

NOTE_S = 3.0
"""For so long the ribbon says that there is nothing to enter."""


class Session:
    """One learner's lessons, one after the other. Implements `Feed` and `Cover` of the window."""

    def __init__(
        self,
        lessons: Mapping[str, Lesson],
        library: Library,
        texts: Texts,
        *,
        rulebook: str | None = None,
        speed: float = 1.0,
        keep: Callable[[Result], bool],
    ) -> None:
        """`keep` takes each result and says whether it was kept. A `rulebook` is that of all."""
        self._lessons = lessons
        self._library = library
        self._texts = texts
        self._rulebook = rulebook
        self._speed = speed
        self._keep = keep
        self._lesson: Lesson | None = None
        self._course: Course | None = None
        self._shown: TableView | None = None
        self._page: Page | None = menu(lessons.values(), texts)
        self._note: float | None = None
        self._ticked: Line | None = None
        self.close: Callable[[], None] = lambda: None

    def begin(self, lesson: str, now: float) -> None:
        """Opens a lesson at its introduction."""
        self._lesson = self._lessons[lesson]
        self._course = Course(
            self._lesson, self._library, now, rulebook=self._rulebook, speed=self._speed
        )
        self._page, self._note = introduction(self._lesson, self._texts), None

    # --- in place of the table ------------------------------------------------------------

    def connection(self, now: float) -> Connection:  # noqa: ARG002 - it is always there
        """Return that all is well."""
        return Connection(cause="")

    def poll(self, now: float) -> TableView | None:
        """Let the lesson go on until now; return the picture if it is another."""
        if self._note is not None and now >= self._note:
            self._note = None
        course = self._course
        if course is None:
            return None
        if self._page is not None:
            course.stand(now)
        else:
            course.play(now)
            if course.is_over:
                self._finish(course)
        if course.view == self._shown:
            return None
        self._shown = course.view
        return course.view

    def send(self, line: Line, now: float) -> bool:
        """Take what the learner enters; False for a call that nobody hears."""
        course = self._course
        if course is None:
            return False
        expected, about = course.expected, course.finding
        if line == self._ticked:
            self._ticked = None
            return True  # with the entry before
        if isinstance(expected, Done) and line.get("input") == STEP_ENTRIES.get(expected.step):
            ticked = {"input": "done", "finding": expected.finding, "step": expected.step}
            line = self._ticked = {"kind": "dealer", **ticked}
        try:
            entry = decode(msgspec.json.encode({**line, "t": 0.0}))
        except MalformedObservationError:  # a request to a table's service, which there is none of
            self._note = now + NOTE_S
            return False
        verdict = course.enter(entry)
        self._note = now + NOTE_S if verdict == "watch" else None
        if verdict == "wrong" and expected is not None:
            self._page = correction(expected, about, self._texts)
        return verdict == "right" or line.get("input") != "call-floor"

    def retry(self, now: float) -> None:
        """It is always there."""

    def table_time(self, now: float) -> float:  # noqa: ARG002 - it stands while nothing is played
        """Return the lesson's time."""
        return self._course.t if self._course is not None else 0.0

    def wait(self, timeout: float) -> None:
        """Wait."""
        time.sleep(timeout)

    # --- over the screen ------------------------------------------------------------------

    @property
    def shown(self) -> object:
        """The page, the ribbon and the first sentence."""
        return self._page, self._ribbon(), self._opening()

    def over(self, screen: Screen) -> Screen:
        """Return the screen with its ribbon and first sentence, or a page."""
        return covered(screen, self._page, self._ribbon(), self._opening())

    def takes(self, button: str, now: float) -> bool:
        """Take a tap on the ribbon or on a page."""
        if button == RIBBON:
            self._page, self._course = menu(self._lessons.values(), self._texts), None
            self._lesson, self._note = None, None
            return True
        if self._page is None:
            return False
        if button.startswith(LESSON):
            self.begin(button.removeprefix(LESSON), now)
        elif button == GO_ON and self._course is None:
            self.close()
        elif button == GO_ON and self._course is not None and self._course.is_over:
            self.takes(RIBBON, now)
        elif button == GO_ON:
            self._page = None
        return True

    def _ribbon(self) -> str:
        if self._lesson is None:
            return self._texts("training-alone")
        if self._note is not None:
            return self._texts("training", lesson=self._texts("lesson-watch"))
        return self._texts("training", lesson=self._lesson.title)

    def _opening(self) -> str:
        return self._course.opening if self._course is not None else ""

    def _finish(self, course: Course) -> None:
        if self._lesson is None:
            return
        book = self._rulebook or self._lesson.rulebook
        result = result_of(course, self._lesson.id, book, int(time.time() * 1000))
        self._page = outcome(result, self._texts, is_kept=self._keep(result))
