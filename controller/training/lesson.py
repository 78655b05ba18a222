"""Lessons as they are written: `config/lessons/*.toml`, each with a table log beside it, and its
words in each language file (`[lessons.title]`, `[lessons.learn]`, `[lessons.first]`).

number = 2                      # its place among the lessons
log = "missing-burn.jsonl"
rulebook = "homepokertourney"
stops = ["confirm", "done"]     # the dealer's entries that the log leaves to the learner
begin = 20.0                    # seconds of the log; what comes before has happened
end = 90.0                      # and here the lesson is over (default: with the log)
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

from controller.contract.misfit import Misfit
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
    RoundClosed,
    nearest,
)
from controller.files.toml_file import ConfigError, convert, read_toml
from controller.library.books import Library
from controller.library.languages import LESSONS, path_of, read
from controller.replay.log import LogError, read_log

STOPS: Mapping[str, type[Observation]] = {
    "new-hand": Riffle,
    "round-closed": RoundClosed,
    "tabled": HandTabled,
    "award": Award,
    "misdeal": DealerMisdeal,
    "call-floor": CallFloor,
    "confirm": Confirm,
    "dismiss": Dismiss,
    "done": Done,
}
"""What a lesson may leave to the learner, by the name that a lesson file has for it."""


class LessonFile(Struct, frozen=True, forbid_unknown_fields=True):
    """A lesson file as it is written."""

    number: int
    log: str
    rulebook: str
    stops: tuple[str, ...]
    begin: float = 0.0
    end: float | None = None


class Lesson(Struct, frozen=True):
    """A lesson that can be played. `id` is the file's name without its ending; the log ends
    where the lesson does. `learn` says what is learned, `first` what to do first."""

    id: str
    number: int
    title: str
    learn: str
    first: str
    rulebook: str
    stops: tuple[str, ...]
    begin: float
    log: tuple[Observation, ...]

    def stops_at(self, observation: Observation) -> bool:
        """Whether this is the learner's to enter."""
        return (observation.t or 0.0) >= self.begin and entry_name(observation) in self.stops


def entry_name(observation: Observation) -> str:
    """The name in `STOPS` of what a dealer enters, or nothing."""
    return next((name for name, kind in STOPS.items() if isinstance(observation, kind)), "")


def load_lessons(config: Path, library: Library, language: str = "en") -> Mapping[str, Lesson]:
    """Reads all lessons under a `config` folder in a language, by their ids and in their order;
    raises `ConfigError`."""
    words = LessonWords(config, language)
    lessons = [load_lesson(path, library, words) for path in sorted(config.glob("lessons/*.toml"))]
    return {lesson.id: lesson for lesson in sorted(lessons, key=lambda one: one.number)}


class LessonWords:
    """The words of the lessons in one language."""

    def __init__(self, config: Path, language: str = "en") -> None:
        """Raises `ConfigError` for a mistake in the language file."""
        self._path = path_of(config, language)
        self._sections = read(self._path, (LESSONS,))

    def say(self, part: str, lesson: str) -> str:
        """A lesson's `title`, `learn` or `first`; raises `ConfigError` where it has none."""
        name = f"{LESSONS}.{part}"
        if lesson not in self._sections[name]:
            raise ConfigError(f"{self._path}: key {name}.{lesson} is missing")
        return self._sections[name][lesson]


def load_lesson(path: Path, library: Library, words: LessonWords) -> Lesson:
    """Reads a lesson; raises `ConfigError`."""
    file = convert(path, read_toml(path, may_quote=True), LessonFile, _said)
    for name in file.stops:
        if name not in STOPS:
            raise ConfigError(f"{path}: stops: unknown entry '{name[:40]}'{nearest(name, STOPS)}")
    if file.rulebook not in library.ids:
        near = nearest(file.rulebook, library.ids)
        raise ConfigError(f"{path}: rulebook: unknown rule book '{file.rulebook[:60]}'{near}")
    logs = [log.name for log in path.parent.glob("*.jsonl")]
    if file.log not in logs:
        near = nearest(file.log, logs)
        raise ConfigError(f"{path}: log: no file '{file.log[:60]}' beside it{near}")
    log = _read(path, path.parent / file.log)
    kept = tuple(one for one in log if file.end is None or (one.t or 0.0) <= file.end)
    lesson = Lesson(
        id=path.stem,
        number=file.number,
        title=words.say("title", path.stem),
        learn=words.say("learn", path.stem),
        first=words.say("first", path.stem),
        rulebook=file.rulebook,
        stops=file.stops,
        begin=file.begin,
        log=kept,
    )
    if not any(map(lesson.stops_at, kept)):
        raise ConfigError(f"{path}: stops: nothing of it is entered in {file.log}")
    return lesson


def _read(path: Path, log: Path) -> list[Observation]:
    try:
        with log.open("rb") as lines:
            return [observation for _, observation in read_log(log.name, lines, [])]
    except LogError as error:
        raise ConfigError(f"{path}: log: {error}") from None
    except OSError as error:
        raise ConfigError(f"{path}: log: {error.strerror}") from None


def _said(found: Misfit) -> str:
    match found:
        case Misfit(unknown=str(key)):
            return f"unknown key '{key[:40]}'{nearest(key, found.names)}"
        case Misfit(missing=str(key)):
            return f"key '{key}' is missing"
        case Misfit(at=(key, *_)):
            return f"{key}: {found.what}"
    return str(found)
