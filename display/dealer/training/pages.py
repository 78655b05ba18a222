"""What lies over the dealer's screen in training: a ribbon always, and now and then a page."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from controller.contract.events import Step
from controller.contract.observations import Confirm, Dismiss, Done, HandTabled, Observation
from controller.contract.view import FindingView
from controller.training.lesson import Lesson, entry_name
from controller.training.results import Result
from display.dealer.layout import Frame
from display.dealer.screen import Button, Label, Panel, Screen
from display.dealer.texts import Texts

RIBBON = "alarm"
"""The ribbon's region and id: it takes the place of hand, phase and blinds."""
GO_ON = "cancel"
LESSON = "lesson:"
_PER_ROW = 4
_TOP = ("undo", "language", "links")
_COVERED = ("hand", "hand-upper", "dealer", "phase", "blinds", "blinds-upper", "level", RIBBON)


class Page(Struct, frozen=True):
    """A text in place of the table, or answers as big buttons; `go_on` is on its only exit."""

    title: str
    go_on: str
    text: str = ""
    rows: tuple[tuple[Button, ...], ...] = ()


def menu(lessons: Iterable[Lesson], texts: Texts) -> Page:
    """Which lesson it shall be."""
    buttons = [Button(f"{LESSON}{one.id}", one.title, role="entry") for one in lessons]
    rows = [tuple(buttons[at : at + _PER_ROW]) for at in range(0, len(buttons), _PER_ROW)]
    return Page(texts("lesson-choose"), texts("lesson-close"), rows=tuple(rows))


def introduction(lesson: Lesson, texts: Texts) -> Page:
    """What is to be learned, and what to do first."""
    return Page(lesson.title, texts("lesson-begin"), f"{lesson.learn}\n{lesson.first}")


def correction(expected: Observation, finding: FindingView | None, texts: Texts) -> Page:
    """What would have been right."""
    key, words = f"lesson-{entry_name(expected)}", {}
    steps = finding.ruling.steps if finding is not None else ()
    if isinstance(expected, Done):
        step = next((one for one in steps if one.id == expected.step), Step(expected.step, ""))
        words = {"step": step.text or step.id, "verb": texts.verb(step)}
    elif isinstance(expected, Confirm | Dismiss):
        words = {"answer": texts.answer(steps[0], "yes" if key == "lesson-confirm" else "no")}
    elif isinstance(expected, HandTabled):
        words = {"seat": str(expected.seat)}
    return Page(texts("lesson-wrong"), texts("lesson-on"), texts(key, **words))


def outcome(result: Result, texts: Texts, *, is_kept: bool) -> Page:
    """How it went."""
    lines = [
        texts("lesson-findings", count=result.findings),
        texts("lesson-steps", right=result.first_time, total=len(result.steps)),
        texts("lesson-pace", seconds=f"{result.pace:.1f}"),
        *([] if is_kept else [texts("lesson-unkept")]),
    ]
    return Page(texts("lesson-result"), texts("lesson-on"), "\n".join(lines))


def covered(screen: Screen, page: Page | None, ribbon: str, opening: str = "") -> Screen:
    """Return the screen as it is seen in training, with `opening` in place of the next step."""
    mark = Button(RIBBON, ribbon, "training", role="entry")
    if page is None:
        labels = tuple(one for one in screen.labels if one.region not in _COVERED)
        if opening and not screen.frame.asks:
            labels = tuple(
                replace(one, text=opening) if one.region == "banner" else one for one in labels
            )
        buttons = tuple(
            replace(one, enabled=False) if one.id == "language" else one for one in screen.buttons
        )
        return replace(screen, labels=labels, buttons=(mark, *buttons))
    bar = [name for column in screen.frame.bar for name in column.names]
    off = tuple(replace(one, enabled=False) for one in screen.buttons if one.id in (*bar, *_TOP))
    rows = tuple(tuple(one.id for one in row) for row in page.rows)
    labels = (Label("dialog-title", page.title, "panel", "entry"),)
    if page.text:
        labels += (Label("dialog-text", page.text, "panel", "step"),)
    return Screen(
        frame=Frame(
            mode="dialog", rows=rows, bar=screen.frame.bar, languages=screen.frame.languages
        ),
        panels=(Panel("dialog", "panel"),),
        labels=labels,
        buttons=(
            mark,
            *off,
            *(one for row in page.rows for one in row),
            Button(GO_ON, page.go_on, "main", role="text"),
        ),
    )
