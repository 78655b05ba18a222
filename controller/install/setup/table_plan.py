"""What makes a machine into a table: from what it is now and what was answered. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

from controller.files.toml_edit import Value, with_value
from controller.files.toml_file import convert, parse_toml
from controller.install.setup.environment import variable, with_option, with_variable
from controller.install.setup.machine_plan import Machine, named
from controller.install.setup.steps import (
    ETC,
    Act,
    Plan,
    Step,
    Unit,
    Write,
    WriteTable,
    by_hand,
    changes,
    rests,
    runs,
    shows,
)
from controller.table.sections import TableFile

SETTINGS = ETC / "table.toml"
SCREEN = ETC / "dealer.env"
TABLE, DEALER, DESKTOP = "cutcard-table", "cutcard-dealer", "display-manager"
FOLLOW = "cutcard-follow.timer"
"""Takes newer versions from the room, where cutcard was installed by packages."""
UNITS = (TABLE, DEALER, DESKTOP, FOLLOW)


class RenamedError(Exception):
    """A table that has a room can't be given another name here; one line says so."""


class TableNow(Struct, frozen=True, kw_only=True):
    """What there is of a table. Texts are those of files, None where there is none."""

    machine: Machine
    settings: str | None = None
    screen: str = ""
    has_deck: bool = False
    changed_at: Mapping[str, float] = {}
    """When what a unit reads was changed, in seconds of the wall clock."""
    units: Mapping[str, Unit] = {}

    @property
    def file(self) -> TableFile | None:
        """What the table reads now. Raises ConfigError."""
        return None if self.settings is None else read(self.settings)


class TableWanted(Struct, frozen=True, kw_only=True):
    """What was answered. `settings` are the text that there is, or a new one; `changed` are keys of
    its `[table]` that are to have another value."""

    host_name: str
    settings: str
    changed: Mapping[str, Value] = {}
    screen: bool = True
    language: str = "en"
    panel: str | None = None


def read(text: str) -> TableFile:
    """The settings in a text. Raises ConfigError."""
    path = Path(SETTINGS)
    return convert(path, parse_toml(path, text), TableFile)


def table_plan(now: TableNow, wanted: TableWanted) -> Plan:
    """All steps in their order. Raises ConfigError, RenamedError."""
    text = _text(wanted)
    file = read(text)
    acts = (WriteTable(SETTINGS, text),) if text != now.settings else ()
    seats = file.table.seats
    many = seats if isinstance(seats, int) else len(seats)
    settings = Step(f"table {file.table.id}: {many} seats, in {SETTINGS}", acts)
    host, screen = named(now.machine, wanted.host_name), _screen(now, wanted)
    is_live = now.machine.is_live
    table, dealer, desktop, follow = (now.units.get(each, Unit()) for each in UNITS)
    # First what may be refused.
    steps = [settings, host, screen]
    afresh = changes([settings]) or table.is_older(now.changed_at.get(TABLE, 0.0))
    steps.append(runs(TABLE, table, is_live=is_live, afresh=afresh))
    if wanted.screen:
        afresh = changes([screen]) or dealer.is_older(now.changed_at.get(DEALER, 0.0))
        on_console = now.machine.on_console
        steps.append(shows(DEALER, dealer, is_live=is_live, afresh=afresh, on_console=on_console))
    else:
        steps.append(rests(DEALER, dealer))
    if follow.is_installed:
        steps.append(runs(FOLLOW, follow, is_live=is_live))
    left = []
    if wanted.screen and (desktop.is_enabled or desktop.is_active):
        left.append(
            "a desktop has the display: sudo systemctl set-default multi-user.target && sudo reboot"
        )
    if file.broker is None:
        left.append("sudo cutcard pair    # the table gets its login from the room")
    if not now.has_deck:
        left.append(
            f"sudo cutcard deck enroll --config {SETTINGS}    # which tag is which card, then:"
        )
        left.append(f"sudo systemctl restart {TABLE}")
    left.append("sudo cutcard doctor    # is everything as it should be?")
    if wanted.screen and now.machine.on_console and not dealer.is_active:
        left.append(by_hand(DEALER))
    return Plan(tuple(steps), tuple(left))


def _text(wanted: TableWanted) -> str:
    text = wanted.settings
    file = read(text)
    for key, value in wanted.changed.items():
        if key == "id" and file.broker is not None:
            raise RenamedError(
                f"table {file.table.id} has a room, which knows it by that name: "
                "it can't be renamed here"
            )
        text = with_value(Path(SETTINGS), text, "table", key, value)
    return text


def _screen(now: TableNow, wanted: TableWanted) -> Step:
    if not wanted.screen:
        return Step("dealer's screen: none here")
    before = tuple(variable(now.screen, "DEALER_OPTIONS").split())
    words = with_option(before, "--panel", wanted.panel)
    if wanted.language != "en" or "--language" in words:
        words = with_option(words, "--language", wanted.language)
    acts: list[Act] = []
    if words != before:
        acts.append(Write(SCREEN, with_variable(now.screen, "DEALER_OPTIONS", " ".join(words))))
    size = f", {wanted.panel}" if wanted.panel else ""
    return Step(f"dealer's screen: language {wanted.language}{size}", tuple(acts))
