"""What is asked about a table: where it has no settings yet, by `cutcard init`'s own wizard."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import TypeVar

from msgspec import Struct, structs

from controller.files.toml_edit import Value
from controller.files.toml_file import parse_toml
from controller.install import init_answers as answers
from controller.install import init_talk as talk
from controller.install.init_ask import GivenError, NotWrittenError
from controller.install.init_file import text, unread
from controller.install.init_plan import AnswerError
from controller.install.init_roll import roll_call
from controller.install.setup.answers_file import Answers, Given, spelt
from controller.install.setup.environment import option, variable
from controller.install.setup.machine_plan import AS_SUPPLIED, host_name
from controller.install.setup.steps import Unit
from controller.install.setup.table_plan import DEALER, SETTINGS, TABLE, TableNow, TableWanted, read

NONE = answers.NONE

T = TypeVar("T")


class TablePart(Struct, frozen=True):
    """`[table]`: what `cutcard init` has as options, under the same names."""

    id: str | int | None = None
    seats: str | int | None = None
    blinds: str | None = None
    rulebook: str | None = None
    board: str | int | None = None
    ports: tuple[str, ...] | None = None
    zones: dict[str, str] = {}
    broker: str | None = None
    site: str | None = None
    ca_file: str | None = None
    host_name: str | None = None


class ScreenPart(Struct, frozen=True):
    """`[screen]`."""

    here: bool | None = None
    language: str | None = None
    panel: str | None = None


class TableAnswers(Struct, frozen=True):
    """The whole file."""

    table: TablePart = TablePart()
    screen: ScreenPart = ScreenPart()


def table_wanted(
    ask: Answers,
    given: TableAnswers,
    now: TableNow,
    path: Path,
    *,
    rulebooks: Collection[str],
    languages: Collection[str],
    ports: Sequence[str] | None,
    terminal: int | None,
) -> TableWanted:
    """Everything. `path` is where the settings are, `terminal` where a person can press Enter, and
    `ports` are the only ones to be looked at, whatever the answers have.
    Raises GivenError, NotWrittenError, ConfigError."""
    changed: dict[str, Value] = {}
    if now.settings is None:
        part = structs.replace(given.table, ports=tuple(ports)) if ports else given.table
        settings = _wizard(ask, part, path, rulebooks, terminal)
    else:
        settings = now.settings
        changed = _changed(ask, given.table, settings, path, rulebooks)
    name = str(changed.get("id", read(settings).table.id))
    host = ask.ask(
        "Host name of this machine",
        _host(now, name),
        host_name,
        means="By which the network finds it.",
        given=given.table.host_name,
        key="[table] host_name",
    )
    screen, language, panel = _screen(ask, given.screen, now, languages)
    return TableWanted(
        host_name=host,
        settings=settings,
        changed=changed,
        screen=screen,
        language=language,
        panel=panel,
    )


def _wizard(
    ask: Answers,
    given: TablePart,
    path: Path,
    rulebooks: Collection[str],
    terminal: int | None,
) -> str:
    """The text of new settings."""
    asker = ask.asker
    said = talk.Given(
        id=spelt(given.id),
        seats=spelt(given.seats),
        blinds=given.blinds,
        rulebook=given.rulebook,
        board=spelt(given.board),
        broker=given.broker,
        site=given.site,
        ca_file=given.ca_file,
        zones=given.zones,
        file=None if ask.file is None else str(ask.file),
    )
    found, _ = roll_call(asker, given.ports)
    settings = talk.service_settings(
        asker, path, found, said, rulebooks=sorted(rulebooks), terminal=terminal
    )
    if not settings.devices:
        raise NotWrittenError("a table needs a device, and every one was left out")
    if said.broker is not None:
        settings = structs.replace(settings, room=talk.room(asker, said))
    if blind := unread(settings):
        asker.tell(f"No antenna reads {', '.join(blind)}: there will be no findings from there.")
    return text(settings)


def _changed(
    ask: Answers, given: TablePart, before: str, path: Path, rulebooks: Collection[str]
) -> dict[str, Value]:
    """What a file answers otherwise than the settings that there are; nobody is asked. Its devices
    are as they were found."""
    table = parse_toml(Path(SETTINGS), before)["table"]

    def taken(key: str, parse: Callable[[str], T]) -> T | None:
        said: Given = getattr(given, key)
        try:
            return None if said is None else parse(str(said))
        except AnswerError as error:
            raise GivenError(f"{ask.file}: [table] {key}: {error}") from None

    seats, blinds = taken("seats", answers.seats), taken("blinds", answers.blinds)
    wanted: dict[str, Value | None] = {
        "id": taken("id", answers.table_id),
        "seats": None if seats is None else _written(seats),
        "blinds": None if blinds is None else {"small": blinds[0], "big": blinds[1]},
        "rulebook": taken("rulebook", answers.rulebook(rulebooks, path.parent)),
    }
    return {
        key: value for key, value in wanted.items() if value is not None and value != table[key]
    }


def _written(seats: Sequence[int]) -> Value:
    """Seats as settings have them: how many, or which."""
    is_whole = tuple(seats) == tuple(range(1, len(seats) + 1))
    return len(seats) if is_whole else list(seats)


def _host(now: TableNow, name: str) -> str:
    """Whoever gave this machine a name meant it."""
    own = now.machine.host_name
    if own and own not in AS_SUPPLIED:
        return own
    plain = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
    return f"table-{plain}" if plain else "table"


def _screen(
    ask: Answers, given: ScreenPart, now: TableNow, languages: Collection[str]
) -> tuple[bool, str, str | None]:
    words = variable(now.screen, "DEALER_OPTIONS").split()
    is_new = not now.units.get(TABLE, Unit()).is_enabled
    here = ask.agrees(
        "Dealer's screen at this machine",
        default=is_new or now.units.get(DEALER, Unit()).is_enabled,
        given=given.here,
    )
    language, panel = option(words, "--language") or "en", option(words, "--panel")
    if not here:
        return False, language, panel
    language = ask.ask(
        "Language of the screen",
        language,
        answers.one_of(languages, "language"),
        means=f"To begin with; the dealer changes it by a tap: {', '.join(languages)}.",
        given=given.language,
        key="[screen] language",
    )
    return (
        True,
        language,
        ask.ask(
            "Size of the panel",
            panel or NONE,
            _panel,
            means=f"10.1in, or 217x136mm, or {NONE}: it says so itself, as HDMI panels do.",
            given=given.panel,
            key="[screen] panel",
        ),
    )


def _panel(said: str) -> str | None:
    if said == NONE:
        return None
    if re.fullmatch(r"\d{1,3}(\.\d{1,2})?in|\d{2,4}x\d{2,4}mm", said) is None:
        raise AnswerError("a size such as 10.1in or 217x136mm")
    return said
