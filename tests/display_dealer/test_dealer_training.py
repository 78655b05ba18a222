"""Whole lessons at the window, by taps: right at once, and wrong first."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pygame
import pytest
from msgspec.structs import replace

from controller.contract.observations import (
    Award,
    CallFloor,
    Confirm,
    DealerMisdeal,
    Dismiss,
    Done,
    HandTabled,
    Observation,
    Riffle,
)
from controller.files.settings import config_dir
from controller.library.books import open_library
from controller.library.languages import languages
from controller.training.course import rehearse
from controller.training.lesson import load_lessons
from controller.training.results import Result, result_of
from display.dealer import model
from display.dealer.connection import Connection
from display.dealer.drawn import draw
from display.dealer.drawn.window import BOUNCE, Window
from display.dealer.geometry import metrics
from display.dealer.layout import arrange
from display.dealer.looking import Looking
from display.dealer.theme import STYLES
from display.dealer.training.pages import RIBBON, correction, covered, introduction, menu, outcome
from display.dealer.training.session import Session
from display.drawing.colour import contrast
from display.drawing.video import open_display
from tests.display_dealer.replays import SIZES, colour, inside
from tests.display_dealer.spoken import spoken
from tests.display_dealer.test_dealer_layout import longer
from tests.waiting import PATIENCE_S

LIBRARY = open_library(config_dir())
LESSONS = load_lessons(config_dir(), LIBRARY)
COMMAND = [sys.executable, "-m", "controller", "dealer", "--train"]


class Learner:
    """A window on a dummy display, a clock turned by hand, and what the ribbon looked like."""

    def __init__(
        self,
        size: tuple[int, int],
        lesson: str = "",
        *,
        is_kept: bool = True,
        language: str = "en",
    ) -> None:
        self.now = 100.0
        self.results: list[Result] = []
        self.ended = False
        self.surface = open_display(size, fullscreen=False)
        texts = spoken(language)
        lessons = load_lessons(config_dir(), LIBRARY, language)
        self.session = Session(lessons, LIBRARY, texts, keep=self._keep)
        self.window = Window(
            self.surface,
            self.session,
            texts,
            config_dir(),
            lambda: self.now,
            cover=self.session,
        )
        self.session.close = self.window.stop
        self._is_kept = is_kept
        pygame.event.clear()
        if lesson:
            self.session.begin(lesson, self.now)
        self.step()

    def _keep(self, result: Result) -> bool:
        self.results.append(result)
        return self._is_kept

    def step(self, seconds: float = 0.0) -> None:
        self.now += seconds
        self.window.step(0)
        self.check_ribbon()

    def check_ribbon(self) -> None:
        """It is there on every screen, in its colour, and says what it is."""
        ribbon = next(one for one in self.window.screen.buttons if one.id == RIBBON)
        assert ribbon.label.startswith(self.window._texts("training-alone"))
        rect = self.window.regions[RIBBON]
        x, y = rect.x + rect.w // 2, rect.y + 4
        if not self.flashes:
            assert self.surface.get_at((x, y))[:3] == STYLES["training"].fill
        assert rect.w > self.surface.get_width() * 0.4

    @property
    def flashes(self) -> bool:
        return self.window._flash is not None

    def tap(self, *buttons: str) -> None:
        for button in buttons:
            there = {one.id for one in self.window.screen.buttons if one.enabled}
            assert button in there, (button, sorted(there))
            rect = self.window.regions[button]
            pos = (rect.x + rect.w // 2, rect.y + rect.h // 2)
            event = pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=pos, button=1, touch=False)
            pygame.event.post(event)
            self.step()
            self.step(2 * BOUNCE)

    def text(self, region: str) -> str:
        labels = self.window.screen.labels
        return next((one.text for one in labels if one.region == region), "")

    @property
    def expected(self) -> Observation | None:
        course = self.session._course
        return course.expected if course is not None else None

    def play(self) -> None:
        """Until the log stops, or the lesson is over."""
        for _ in range(400):
            self.step(0.25)

    def answer(self) -> None:
        """What is right, by taps as at a table."""
        match self.expected:
            case Riffle():
                self.tap("new-hand")
            case HandTabled(seat=seat):
                self.tap("tabled", f"pick-seat:{seat}")
            case Award():
                self.tap("award")
            case Confirm():
                self.tap("yes")
            case Dismiss():
                self.tap("no")
            case Done(step="finish-round"):
                self.tap("round-closed")
            case Done():
                self.tap("done")
            case CallFloor():
                self.tap("call-floor")
            case DealerMisdeal():
                on_card = any(one.id == "to-table" for one in self.window.screen.buttons)
                self.tap(*(("to-table",) if on_card else ()), "misdeal", "misdeal-yes")


@pytest.fixture(autouse=True)
def _display() -> Iterator[None]:
    yield
    pygame.display.quit()


@pytest.mark.parametrize("lesson", LESSONS)
def test_a_lesson_with_all_taps_right(lesson: str) -> None:
    learner = Learner(SIZES[list(LESSONS).index(lesson) % 2], lesson)
    words = LESSONS[lesson]
    assert learner.text("dialog-text") == f"{words.learn}\n{words.first}"
    learner.tap("cancel")
    assert learner.text("banner") == words.first
    for _ in range(12):
        learner.play()
        if learner.results:
            break
        learner.answer()
        assert not learner.text("dialog-title")
    (result,) = learner.results
    total = len(result.steps)
    assert result.first_time == total >= 1
    assert f"Right first time: {total} of {total}" in learner.text("dialog-text")
    learner.tap("cancel")
    assert learner.text("dialog-title") == "Which lesson?"
    learner.tap("cancel")
    assert not learner.window.is_open


@pytest.mark.parametrize("size", SIZES, ids=["large", "small"])
def test_a_lesson_with_wrong_taps_says_what_would_have_been_right(size: tuple[int, int]) -> None:
    learner = Learner(size)
    learner.tap("lesson:missing-burn", "cancel")
    learner.tap("call-floor")  # nothing has happened yet
    assert not learner.text("dialog-title")
    ribbon = next(one for one in learner.window.screen.buttons if one.id == RIBBON)
    assert "Nothing to enter" in ribbon.label
    learner.play()
    learner.tap("no")
    assert learner.text("dialog-text") == "It did happen: answer No burn."
    learner.tap("cancel", "yes")
    learner.play()
    learner.tap("to-table", "round-closed")
    assert learner.text("dialog-text").startswith("Do this step, then tap Stopped")
    learner.tap("cancel", "note", "done")
    for _ in range(12):
        learner.play()
        learner.answer()
    (result,) = learner.results
    assert [step.wrong for step in result.steps] == [1, 1, 0, 0, 0, 0, 0]
    assert "Right first time: 5 of 7" in learner.text("dialog-text")
    assert "Irregularities: 1" in learner.text("dialog-text")


@pytest.mark.parametrize("language", languages(config_dir()))
@pytest.mark.parametrize("lesson", LESSONS)
def test_no_lesson_begins_with_an_empty_banner(lesson: str, language: str) -> None:
    size = SIZES[1]
    learner = Learner(size, lesson, language=language)
    words = load_lessons(config_dir(), LIBRARY, language)[lesson]
    learner.tap("cancel")
    surface = pygame.Surface(size)
    elements = draw.paint(surface, learner.window.screen, learner.window.regions)
    banner = next(one for one in elements if one.id == "banner")
    assert banner.text == words.first
    assert banner.font_px >= metrics(*size).text[1]


def test_a_question_which_seat_is_not_covered_by_the_first_sentence() -> None:
    learner = Learner(SIZES[1], "premature-turn")
    learner.tap("cancel", "more", "boxed")
    assert learner.text("banner") == spoken("en")("boxed-who")


def test_a_call_that_nobody_hears_is_not_shown_as_one() -> None:
    learner = Learner(SIZES[0], "missing-burn")
    learner.tap("cancel")
    learner.play()
    learner.tap("call-floor", "cancel")
    floor = next(one for one in learner.window.screen.buttons if one.id == "call-floor")
    assert floor.label == "Call floor"


@pytest.mark.parametrize(
    "request_", [{"kind": "wager", "seat": 1, "word": "call"}, {"kind": "sensors", "on": False}]
)
def test_what_only_a_tables_service_does_is_not_taken(request_: dict[str, object]) -> None:
    learner = Learner(SIZES[0], "missing-burn")
    learner.tap("cancel")
    learner.play()
    assert not learner.session.send(request_, learner.now)
    learner.step()
    assert learner.session._note is not None


def test_the_ribbon_leads_out_of_a_lesson() -> None:
    learner = Learner(SIZES[1], "misdeal")
    learner.tap("cancel", RIBBON)
    assert learner.text("dialog-title") == "Which lesson?"
    learner.tap("lesson:clean-hand", "cancel")
    learner.play()
    learner.tap("new-hand")
    assert learner.results == []


def test_a_result_that_was_not_kept_is_said() -> None:
    learner = Learner(SIZES[1], "unread-burn", is_kept=False)
    learner.tap("cancel")
    learner.play()
    learner.tap("no")
    learner.play()
    assert "could not be saved" in learner.text("dialog-text")


@pytest.mark.parametrize("size", SIZES, ids=["large", "small"])
def test_pages_can_be_read_and_tapped(size: tuple[int, int]) -> None:
    learner, m = Learner(size), metrics(*size)
    for lesson in LESSONS:
        for tap in (None, f"lesson:{lesson}"):
            if tap:
                learner.tap(tap)
            surface = pygame.Surface(size)
            elements = draw.paint(surface, learner.window.screen, learner.window.regions)
            assert len({one.id for one in elements}) == len(elements)
            for one in elements:
                assert inside(one.rect, size), one
                assert not one.text or contrast(colour(one.fg), colour(one.bg)) >= 7, one
            for label in learner.window.screen.labels:
                element = next(one for one in elements if one.id == label.region)
                assert element.text == label.text
                assert element.font_px >= m.text[1]
            for button in learner.window.screen.buttons:
                element = next(one for one in elements if one.id == button.id)
                assert element.font_px >= draw.sizes(button.role, m)[1], element
        learner.session.takes(RIBBON, learner.now)
        learner.step()


@pytest.mark.parametrize("size", SIZES, ids=["large", "small"])
def test_pages_two_fifths_longer_are_not_cut_off(size: tuple[int, int]) -> None:
    texts = spoken("en")
    padded = replace(
        texts,
        language="xx",
        entries={key: longer(text) for key, text in texts.entries.items()},
        verbs={key: longer(text) for key, text in texts.verbs.items()},
    )
    lesson = replace(LESSONS["premature-turn"], learn=longer(LESSONS["premature-turn"].learn))
    course = rehearse(lesson, LIBRARY)
    step = Done(kind="dealer", t=0, finding=1, step="river-is-turn")
    text = longer(LIBRARY.texts.steps["river-is-turn"])
    pages = [
        menu([replace(one, title=longer(one.title)) for one in LESSONS.values()], padded),
        introduction(lesson, padded),
        replace(
            correction(step, None, padded),
            text=padded("lesson-done", step=text, verb=longer("Turned up")),
        ),
        outcome(result_of(course, "", "", 0), padded, is_kept=False),
    ]
    looking, connection = Looking(), Connection(cause="")
    below = model.build(None, looking, connection, padded, now=0, languages={})
    for page in pages:
        screen = covered(below, page, padded("training", lesson=lesson.title))
        surface = pygame.Surface(size)
        elements = draw.paint(surface, screen, arrange(*size, screen.frame))
        written = {one.id: one for one in elements}
        for label in screen.labels:
            assert written[label.region].text == label.text
            assert written[label.region].font_px >= 14
        for button in screen.buttons:
            assert written[button.id].text == button.label
            assert written[button.id].font_px >= 14


def test_the_command_keeps_results_and_touches_no_table(tmp_path: Path) -> None:
    environment = {**os.environ, "XDG_STATE_HOME": str(tmp_path), "SDL_VIDEODRIVER": "dummy"}
    taps = (
        "import sys, pygame\n"
        "from display.dealer.drawn.window import Window\n"
        "from display.dealer.command import main\n"
        "step, last = Window.step, 0.0\n"
        "def tapping(self, timeout):\n"
        "    global last\n"
        "    if self._clock() < last + 0.5:\n"
        "        return step(self, timeout)\n"
        "    last = self._clock()\n"
        "    wanted = {'cancel', 'no'} & {b.id for b in self.screen.buttons if b.enabled}\n"
        "    for one in wanted:\n"
        "        pos = self.regions[one].inset(9)[:2]\n"
        "        pygame.event.post(pygame.event.Event(\n"
        "            pygame.MOUSEBUTTONDOWN, pos=pos, button=1, touch=False))\n"
        "    step(self, timeout)\n"
        "Window.step = tapping\n"
        "sys.exit(main(sys.argv[1:]))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", taps, "--train", "unread-burn", "--speed", "50"],
        env=environment,
        capture_output=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    kept = tmp_path / "cutcard" / "training.jsonl"
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    (line,) = kept.read_text().splitlines()
    assert json.loads(line)["lesson"] == "unread-burn"


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        (["misdela"], "did you mean 'misdeal'?"),
        (["missing-burn", "--rulebook", "uk-tda"], "can't be played under 'uk-tda'"),
        (["--rulebook", "robert"], "did you mean 'roberts'?"),
        (["--speed", "0"], "is not a speed"),
        (["--shot", "x.png"], "--shot needs --replay"),
        (["--config", "/nowhere"], "/nowhere"),
    ],
)
def test_a_mistake_is_one_line(arguments: list[str], fault: str) -> None:
    done = subprocess.run([*COMMAND, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert fault in done.stderr
    assert done.stderr.count("\n") == 1


def test_the_list_needs_no_display() -> None:
    environment = {k: v for k, v in os.environ.items() if not k.startswith("SDL_")}
    done = subprocess.run([*COMMAND, "--list"], env=environment, capture_output=True, check=False)
    assert done.returncode == 0
    assert len(done.stdout.splitlines()) == len(LESSONS)
