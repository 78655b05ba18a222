"""What is to be done at a machine, as values: nothing is done here."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePosixPath
from typing import Literal

from msgspec import Struct

ETC = PurePosixPath("/etc/cutcard")
CREDENTIALS = PurePosixPath("/etc/credstore")


class Write(Struct, frozen=True):
    """A file gets this text. One that is there keeps its owner and mode."""

    path: PurePosixPath
    text: str


class WriteTable(Struct, frozen=True):
    """The same, if `cutcard table` would take it."""

    path: PurePosixPath
    text: str


class Link(Struct, frozen=True):
    """A symbolic link leads to `target`, whatever was there."""

    path: PurePosixPath
    target: PurePosixPath


class NameHost(Struct, frozen=True):
    """The machine is called so from now on, without a new start."""

    name: str


class KeepSecret(Struct, frozen=True):
    """A password moves to where only root reads it."""

    source: PurePosixPath
    target: PurePosixPath


class Certify(Struct, frozen=True):
    """The room's certificate is made anew, for these names; its authority stays."""

    names: tuple[str, ...]


class LendCertificate(Struct, frozen=True):
    """The room's pages get the certificate, its key and what phones have to trust."""


class SetUpBroker(Struct, frozen=True):
    """The broker's files are made anew; who has a password keeps it."""

    site: str


class AddAdmin(Struct, frozen=True):
    """Somebody may do everything in the room. The PIN is not in here."""

    name: str


class MakeFolder(Struct, frozen=True):
    """A folder, for root alone."""

    path: PurePosixPath


Verb = Literal[
    "enable",
    "disable",
    "start",
    "stop",
    "restart",
    "try-restart",
    "try-reload-or-restart",
    "daemon-reload",
]


class Order(Struct, frozen=True):
    """What systemd is told."""

    verb: Verb
    units: tuple[str, ...] = ()


Act = (
    Write
    | WriteTable
    | Link
    | NameHost
    | KeepSecret
    | Certify
    | LendCertificate
    | SetUpBroker
    | AddAdmin
    | MakeFolder
    | Order
)


class Step(Struct, frozen=True):
    """One thing that is to be so, in a line, and how it becomes so: without acts it is so."""

    what: str
    acts: tuple[Act, ...] = ()


class Plan(Struct, frozen=True):
    """All of it, in order. `left` is what only a person can do afterwards, a line each."""

    steps: tuple[Step, ...]
    left: tuple[str, ...] = ()

    @property
    def is_done(self) -> bool:
        """Whether everything is as it should be."""
        return not changes(self.steps)


class Unit(Struct, frozen=True):
    """What systemd knows of a unit. `since` is when it became active, in seconds of the wall
    clock."""

    is_installed: bool = False
    is_enabled: bool = False
    is_active: bool = False
    since: float = 0.0

    def is_older(self, changed_at: float) -> bool:
        """Whether what it reads has changed since, as where a setup was cut short."""
        return self.is_active and changed_at > self.since


def runs(name: str, unit: Unit, *, is_live: bool, afresh: bool = False) -> Step:
    """A unit runs now and after each start of the machine; `afresh`, since what it reads has
    changed. On a machine that does not run nothing is started."""
    acts: list[Act] = []
    if not unit.is_enabled:
        acts.append(Order("enable", (name,)))
    if is_live and not unit.is_active:
        acts.append(Order("start", (name,)))
    elif is_live and afresh:
        acts.append(Order("restart", (name,)))
    return Step(f"{name} runs, and at each start", tuple(acts))


def shows(name: str, unit: Unit, *, is_live: bool, afresh: bool, on_console: bool) -> Step:
    """The same of a screen: at the console it takes it is left to be started."""
    stays = on_console and not unit.is_active
    return runs(name, unit, is_live=is_live and not stays, afresh=afresh)


def by_hand(name: str) -> str:
    """What is left then."""
    return f"sudo systemctl start {name}    # last of all: it takes this console"


def rests(name: str, unit: Unit) -> Step:
    """A unit does not run and does not start."""
    acts: list[Act] = []
    if unit.is_enabled:
        acts.append(Order("disable", (name,)))
    if unit.is_active:
        acts.append(Order("stop", (name,)))
    return Step(f"{name} is off", tuple(acts))


def changes(steps: Iterable[Step]) -> bool:
    """Whether any of these has something to do."""
    return any(each.acts for each in steps)
