"""A lesson as it is played: the log runs on until the dealer has something to enter.

What is right to enter is what the log's own dealer entered. It is the log's entry that is taken
in once the learner has found it, so the hand always goes on as it went; a wrong one is not taken
in at all.
"""

from __future__ import annotations

from collections import deque
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from controller.contract.observations import (
    CallFloor,
    Confirm,
    DealerMisdeal,
    Dismiss,
    Done,
    Observation,
    Tick,
    Undo,
    is_dealer_input,
)
from controller.contract.view import FindingView, TableView, position
from controller.library.books import Library
from controller.replay.moments import Drawing
from controller.training.lesson import Lesson, entry_name

TICK_S = 0.25
"""The table looks at its clock so often, whatever machine the lesson runs on."""

LONG_S = 1e5
"""Longer than any lesson."""

Verdict = Literal["right", "wrong", "watch"]
"""An entry was right, or another was; or there is nothing to enter yet, and no harm done."""


class Step(Struct, frozen=True):
    """One entry of the learner's: its name, the finding's code if it was about one, how often
    something else was entered first, and the seconds that it took."""

    entry: str
    code: str
    wrong: int
    seconds: float


class Course:
    """Plays one lesson. `now` is any monotonic clock's seconds."""

    def __init__(
        self,
        lesson: Lesson,
        library: Library,
        now: float,
        *,
        rulebook: str | None = None,
        speed: float = 1.0,
    ) -> None:
        """What comes until the lesson's beginning has happened. `rulebook` is another than the
        lesson's."""
        self._lesson = lesson
        self._speed = speed
        self._drawing = Drawing(library, rulebook or lesson.rulebook)
        self._rest = deque(lesson.log)
        self._t = 0.0
        self._now = self._since = now
        self._is_due = False
        self._wrong = 0
        self._met: set[int] = set()
        self.steps: list[Step] = []
        while self._rest and (self._rest[0].t or 0.0) < lesson.begin:
            self._take(self._rest.popleft())
        self._tick_to(lesson.begin)
        self.play(now)

    @property
    def t(self) -> float:
        """The lesson's time, in seconds of its log."""
        return self._t

    @property
    def view(self) -> TableView | None:
        """The table as it stands."""
        return self._drawing.view

    @property
    def expected(self) -> Observation | None:
        """What the learner enters next; None once all has been entered."""
        return next(filter(self._lesson.stops_at, self._rest), None)

    @property
    def is_over(self) -> bool:
        """Whether the log has come to its end."""
        return not self._rest

    @property
    def findings(self) -> int:
        """How many findings there have been."""
        return len(self._met)

    @property
    def opening(self) -> str:
        """What to do first, until something is found or the learner has entered something."""
        return "" if self._met or self.steps else self._lesson.first

    @property
    def finding(self) -> FindingView | None:
        """The finding that the expected entry is about, else the worst that is open."""
        wanted = getattr(self.expected, "finding", None)
        found = sorted(self.view.findings, key=lambda one: one.priority) if self.view else []
        about = [one for one in found if one.id == wanted]
        return next(iter(about or found), None)

    def play(self, now: float) -> None:
        """Lets the time run until `now`, but not past what the learner has to enter."""
        end = self._t + (now - self._now) * self._speed
        self._now = now
        while self._rest and (self._rest[0].t or 0.0) <= end:
            if self._lesson.stops_at(self._rest[0]):
                end = self._rest[0].t or 0.0
                break
            self._take(self._rest.popleft())
        if self._rest:
            self._tick_to(end)
        if not self._is_due and self._may_enter():
            self._is_due, self._since = True, now

    def stand(self, now: float) -> None:
        """Time stood still until `now`: the learner was reading."""
        self._since += now - self._now
        self._now = now

    def enter(self, entry: Observation) -> Verdict:
        """Takes what the learner enters, whatever its `t`."""
        expected = self.expected
        if expected is None or isinstance(entry, Undo):
            return "watch"
        for right in (expected, self._misdeal()):
            if right is not None and _same(entry, right) and self._may_enter():
                self._go_on(right)
                return "right"
        if not self._is_due and not (self.view and self.view.findings):
            return "watch"
        self._wrong += 1
        return "wrong"

    # --- inside ---------------------------------------------------------------------------

    def _misdeal(self) -> Observation | None:
        """The misdeal that comes after steps to be ticked: nobody has to wait with it."""
        stops = filter(self._lesson.stops_at, self._rest)
        after = next((one for one in stops if not isinstance(one, Done)), None)
        return after if isinstance(after, DealerMisdeal) else None

    def _go_on(self, expected: Observation) -> None:
        """The log is taken in up to the entry, which it has come to now."""
        about = self.finding
        code = about.code if about is not None else ""
        seconds = round(max(0.0, self._now - self._since), 2)
        self.steps.append(Step(entry_name(expected), code, self._wrong, seconds))
        while self._rest[0] is not expected:
            self._take(self._rest.popleft())
        self._take(self._rest.popleft())
        self._is_due, self._wrong = False, 0
        self.play(self._now)

    def _may_enter(self) -> bool:
        """Whether the table is waiting for it: the log is there, or a finding is open that calls
        for it."""
        expected = self.expected
        if expected is None:
            return False
        if expected is self._rest[0] and self._t >= (expected.t or 0.0):
            return True
        about = self.finding
        match expected:
            case Confirm() | Dismiss():
                return about is not None and about.id == expected.finding
            case Done():
                return (
                    about is not None
                    and about.id == expected.finding
                    and next_step(about) == expected.step
                )
            case CallFloor() | DealerMisdeal():
                return about is not None
        return False

    def _take(self, observation: Observation) -> None:
        self._tick_to(observation.t or 0.0)
        self._drawing.take(observation)
        self._meet()

    def _tick_to(self, t: float) -> None:
        while self._t < t:
            self._t = min(t, (self._t // TICK_S + 1) * TICK_S)
            self._drawing.take(Tick(t=self._t))
            self._meet()

    def _meet(self) -> None:
        if self.view is not None and self._t >= self._lesson.begin:
            self._met |= {one.id for one in self.view.findings}


def next_step(finding: FindingView) -> str:
    """The id of the step to be done next; empty when all are, ticked or seen."""
    return [*(step.id for step in finding.ruling.steps), ""][position(finding)]


class LessonError(ValueError):
    """A lesson that can't be played so."""


def rehearse(lesson: Lesson, library: Library, rulebook: str | None = None) -> Course:
    """Plays a lesson to its end with all entries right.

    Raises `LessonError` where the table asks for something else than the log's dealer enters, as
    under another rule book with another remedy.
    """
    book = rulebook or lesson.rulebook
    now = 0.0
    course = Course(lesson, library, now, rulebook=rulebook)
    while (expected := course.expected) is not None:
        now += LONG_S
        course.play(now)
        fault = _misfit(course, expected)
        if fault:
            where = f"at {expected.t:g} s {entry_name(expected)} is entered, but {fault}"
            raise LessonError(f"lesson '{lesson.id}' can't be played under '{book}': {where}")
        course.enter(expected)
    course.play(now + LONG_S)
    return course


def fits(lesson: Lesson, library: Library, rulebook: str) -> bool:
    """Whether a lesson can be played under a rule book."""
    try:
        rehearse(lesson, library, rulebook)
    except LessonError:
        return False
    return True


def _misfit(course: Course, expected: Observation) -> str:
    """What is wrong with an entry at this point of the course; empty if nothing is."""
    about = course.finding
    if not isinstance(expected, Confirm | Dismiss | Done | CallFloor | DealerMisdeal):
        return ""
    if about is None:
        return "nothing is open"
    at = next_step(about)
    is_asked = at.startswith("ask-")
    match expected:
        case Confirm() | Dismiss() if about.id != expected.finding or not is_asked:
            return "no question is open"
        case Done() if about.id != expected.finding or at != expected.step:
            return f"the next step is '{at}', not '{expected.step}'"
        case DealerMisdeal() if about.ruling.outcome not in ("misdeal", "void-hand"):
            return f"the ruling is '{about.ruling.outcome}'"
    return ""


def _same(entry: Observation, expected: Observation) -> bool:
    """Whether two entries say the same, whoever made them and when."""
    if type(entry) is not type(expected):
        return False
    if not is_dealer_input(expected):
        return replace(entry, t=expected.t) == expected
    common = {"t": 0.0, "by": None, "reason": None}
    return replace(entry, **common) == replace(expected, **common)
