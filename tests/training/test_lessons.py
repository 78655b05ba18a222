"""Lessons as they are written, and as they are played."""

from __future__ import annotations

import json
import stat
from functools import cache
from pathlib import Path

import pytest

from controller.contract.observations import (
    Award,
    CallFloor,
    Confirm,
    DealerMisdeal,
    Dismiss,
    Done,
    encode,
)
from controller.files.settings import config_dir
from controller.files.toml_file import ConfigError
from controller.library.books import Library, open_library
from controller.library.languages import languages
from controller.training.course import Course, LessonError, fits, rehearse
from controller.training.lesson import (
    Lesson,
    LessonWords,
    entry_name,
    load_lesson,
    load_lessons,
)
from controller.training.results import keep, result_of, results_file
from display.dealer.texts import load
from tests.training.recording import RECORDINGS, record

FOLDER = config_dir() / "lessons"
NAMES = sorted(path.stem for path in FOLDER.glob("*.toml"))


@cache
def library() -> Library:
    return open_library(config_dir())


@cache
def lessons(language: str = "en") -> dict[str, Lesson]:
    return dict(load_lessons(config_dir(), library(), language))


def test_there_are_eight_in_their_order() -> None:
    assert list(lessons())[:2] == ["clean-hand", "missing-burn"]
    assert len(lessons()) == 8
    assert sorted(lessons()) == NAMES == sorted(RECORDINGS)


@pytest.mark.parametrize("name", NAMES)
def test_every_lesson_can_be_played_to_its_end(name: str) -> None:
    lesson = lessons()[name]
    course = rehearse(lesson, library())
    assert course.is_over
    assert {step.entry for step in course.steps} == set(lesson.stops)
    assert course.findings == (name != "clean-hand")
    assert course.view is not None
    assert not course.view.findings, "what was found has been put right"
    assert course.steps[-1].entry == "award" or course.steps[0].code


@pytest.mark.parametrize("language", languages(config_dir()))
@pytest.mark.parametrize("name", NAMES)
def test_every_lesson_begins_with_a_sentence(name: str, language: str) -> None:
    lesson, english = lessons(language)[name], lessons()[name]
    assert lesson.learn.count(". ") == 1, "two sentences"
    for text in (lesson.learn, lesson.first):
        assert text[0].isupper()
        assert text.endswith(".")
    if language != "en":
        assert lesson.learn != english.learn
        assert lesson.first != english.first
    course = Course(lesson, library(), 0.0)
    assert course.view is not None, "there is a table from the beginning"
    assert course.opening == lesson.first
    button = {"new-hand": "new-hand", "call-floor": "call-floor"}
    assert course.expected is not None
    named = button.get(entry_name(course.expected))
    if named:
        assert load(language, config_dir())(named) in lesson.first, "what is tapped first"


@pytest.mark.parametrize("name", NAMES)
def test_the_first_sentence_goes_once_there_is_something_to_do(name: str) -> None:
    course = Course(lessons()[name], library(), 0.0)
    now = 0.0
    while not course.findings and not course.steps:
        assert course.opening == lessons()[name].first
        now += 0.1
        course.play(now)
        if name == "clean-hand":
            assert course.expected is not None
            course.enter(course.expected)
    assert course.opening == ""


@pytest.mark.parametrize("name", NAMES)
def test_every_log_is_what_its_recording_makes(name: str) -> None:
    lines = [encode(one).decode() for one in record(library(), **RECORDINGS[name])]
    assert (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8").splitlines() == lines


def test_under_another_book_only_where_the_remedy_is_the_same() -> None:
    burn = lessons()["missing-burn"]
    assert fits(burn, library(), "roberts")
    assert not fits(burn, library(), "uk-tda")
    with pytest.raises(LessonError, match=r"'missing-burn'.*'uk-tda'.*'call-floor'"):
        rehearse(burn, library(), "uk-tda")


GOOD = {
    "number": 1,
    "log": "missing-burn.jsonl",
    "rulebook": "roberts",
    "stops": ["confirm"],
}


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"nummer": 1}, "unknown key 'nummer'; did you mean 'number'?"),
        ({"number": None}, "key 'number' is missing"),
        ({"number": "x"}, "number: Expected `int`, got `str`"),
        ({"stops": ["confrim"]}, "stops: unknown entry 'confrim'; did you mean 'confirm'?"),
        ({"stops": ["award"], "end": 30.0}, "stops: nothing of it is entered in missing-burn"),
        ({"rulebook": "robert"}, "rulebook: unknown rule book 'robert'; did you mean 'roberts'?"),
        ({"log": "mising-burn.jsonl"}, "no file 'mising-burn.jsonl' beside it; did you mean 'miss"),
        ({"log": "broken.jsonl"}, "log: broken.jsonl: line 1: this is not a JSON object"),
    ],
)
def test_a_mistake_names_file_key_and_what_is_near(
    tmp_path: Path, change: dict[str, object], fault: str
) -> None:
    (tmp_path / "missing-burn.jsonl").write_bytes((FOLDER / "missing-burn.jsonl").read_bytes())
    (tmp_path / "broken.jsonl").write_text("no\n")
    fields = {key: value for key, value in {**GOOD, **change}.items() if value is not None}
    path = tmp_path / "missing-burn.toml"
    path.write_text("".join(f"{key} = {json.dumps(value)}\n" for key, value in fields.items()))
    with pytest.raises(ConfigError) as told:
        load_lesson(path, library(), LessonWords(config_dir()))
    assert str(told.value).startswith(f"{path}: ")
    assert fault in str(told.value)


def test_a_house_has_lessons_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "languages").mkdir()
    (tmp_path / "lessons").mkdir()
    words = tmp_path / "languages" / "en.toml"
    english = (config_dir() / "languages" / "en.toml").read_text(encoding="utf-8")
    for part in ("title", "learn", "first"):
        english = english.replace(f"[lessons.{part}]", f'[lessons.{part}]\nmine = "My {part}."')
    words.write_text(english, encoding="utf-8")
    (tmp_path / "lessons" / "missing-burn.jsonl").write_bytes(
        (FOLDER / "missing-burn.jsonl").read_bytes()
    )
    mine = tmp_path / "lessons" / "mine.toml"
    mine.write_text("".join(f"{key} = {json.dumps(value)}\n" for key, value in GOOD.items()))
    (lesson,) = load_lessons(tmp_path, library()).values()
    assert (lesson.title, lesson.learn, lesson.first) == ("My title.", "My learn.", "My first.")
    mine.rename(mine.with_stem("other"))
    with pytest.raises(ConfigError) as told:
        load_lessons(tmp_path, library())
    assert str(told.value) == f"{words}: key lessons.title.other is missing"


def test_the_log_stops_until_the_right_entry_is_made() -> None:
    course = Course(lessons()["missing-burn"], library(), 0.0)
    course.play(1000.0)
    assert isinstance(course.expected, Confirm)
    question = course.view
    course.play(2000.0)
    assert course.view == question, "no time passes at the table"
    assert course.enter(Dismiss(kind="dealer", t=0, finding=1, reason="answered-no")) == "wrong"
    assert course.enter(CallFloor(kind="dealer", t=0)) == "wrong"
    assert course.view == question
    course.stand(2050.0)
    assert course.enter(Confirm(kind="dealer", t=0, finding=1)) == "right"
    assert course.steps[0].wrong == 2
    assert course.steps[0].seconds == 1000, "reading a page does not count"
    assert course.steps[0].code == "burn-missing"


def test_an_answer_may_come_before_the_logs_own() -> None:
    course = Course(lessons()["missing-burn"], library(), 0.0)
    now = 0.0
    while not (course.view and course.view.findings):
        now += 0.1
        course.play(now)
    assert course.enter(Confirm(kind="dealer", t=0, finding=1)) == "right"
    assert course.enter(Done(kind="dealer", t=0, finding=1, step="cut")) == "wrong"
    assert course.enter(Done(kind="dealer", t=0, finding=1, step="stop")) == "right"


def test_where_nothing_is_to_be_entered_nothing_is_wrong() -> None:
    course = Course(lessons()["missing-burn"], library(), 0.0)
    course.play(1.0)
    assert course.enter(CallFloor(kind="dealer", t=0)) == "watch"
    assert course.enter(Award(kind="dealer", t=0)) == "watch"
    rehearsed = rehearse(lessons()["missing-burn"], library())
    assert rehearsed.enter(Award(kind="dealer", t=0)) == "watch"


def test_nobody_has_to_wait_with_a_misdeal() -> None:
    course = Course(lessons()["misdeal"], library(), 0.0)
    course.play(1000.0)
    assert isinstance(course.expected, Done)
    assert course.enter(DealerMisdeal(kind="dealer", t=0)) == "right"
    assert [step.entry for step in course.steps] == ["misdeal"]
    assert course.view is not None
    assert course.view.phase == "misdeal"
    other = Course(lessons()["exposed-card"], library(), 0.0)
    other.play(1000.0)
    assert other.enter(DealerMisdeal(kind="dealer", t=0)) == "wrong"


def test_speed_is_how_fast_the_hand_goes() -> None:
    slow = Course(lessons()["clean-hand"], library(), 0.0)
    fast = Course(lessons()["clean-hand"], library(), 0.0, speed=4)
    for course in (slow, fast):
        course.play(3.0)
        assert course.expected is not None
        course.enter(course.expected)
    slow.play(3.0 + 20)
    fast.play(3.0 + 5)
    assert slow.view == fast.view


def test_results_are_appended_for_their_owner_only(tmp_path: Path) -> None:
    path = results_file({"XDG_STATE_HOME": str(tmp_path / "state")}, tmp_path)
    assert path == tmp_path / "state/cutcard/training.jsonl"
    assert results_file({"XDG_STATE_HOME": "state"}, tmp_path).is_relative_to(tmp_path / ".local")
    course = rehearse(lessons()["unread-burn"], library())
    path.parent.mkdir(parents=True)
    path.touch(0o644)
    for number in range(2):
        keep(result_of(course, "unread-burn", "roberts", number), path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    first, second = map(json.loads, path.read_text().splitlines())
    assert (first["at"], second["at"]) == (0, 1)
    assert first["findings"] == 1
    assert [step["entry"] for step in first["steps"]] == ["dismiss"]
    assert result_of(course, "", "", 0).first_time == 1
