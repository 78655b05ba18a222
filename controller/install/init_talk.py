"""The questions about a table, in their order; what the devices are is known by then."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct, structs

from controller.install import init_answers as answers
from controller.install.init_ask import Questions
from controller.install.init_devices import fit
from controller.install.init_file import Places, Room, Settings
from controller.install.init_plan import (
    AnswerError,
    likely_board,
    likely_seats,
)
from controller.table.config import LONGEST_SOCKET_PATH
from firmware_bridge.probe import Answer

RULEBOOK = "homepokertourney"
LEAVE_OUT = "-"
SERVICE = "service"
HERE = "here"


class Given(Struct, frozen=True, kw_only=True):
    """What the command line said already, or the section `[table]` of a `file`; None is asked.
    `zones` go by port."""

    id: str | None = None
    seats: str | None = None
    blinds: str | None = None
    rulebook: str | None = None
    board: str | None = None
    screen: str | None = None
    broker: str | None = None
    site: str | None = None
    ca_file: str | None = None
    password_file: str | None = None
    zones: Mapping[str, str] = {}
    file: str | None = None

    def called(self, key: str) -> str:
        """What was given under this name, as whoever gave it wrote it."""
        if self.file is not None:
            return f"{self.file}: [table] {key}"
        return f"--{key.replace('_', '-')}"


def settings(
    asker: Questions,
    path: Path,
    found: Sequence[Answer],
    given: Given,
    *,
    rulebooks: Sequence[str],
    runtime: Path | None,
    terminal: int | None,
) -> Settings:
    """Everything but the password. `runtime` is a folder on a tmpfs for this user, `terminal`
    where a person can press Enter while the devices are listened to."""
    of_service = service_settings(asker, path, found, given, rulebooks=rulebooks, terminal=terminal)
    places = _places(asker, path, of_service.id, given, runtime)
    return structs.replace(of_service, places=places, room=room(asker, given))


def service_settings(
    asker: Questions,
    path: Path,
    found: Sequence[Answer],
    given: Given,
    *,
    rulebooks: Sequence[str],
    terminal: int | None,
) -> Settings:
    """The same of a table that systemd runs, without its room."""
    name = asker.ask(
        "Name of the table",
        "1",
        answers.table_id,
        means="Its name on the screens and at the broker: letters, digits, '_', '.' and '-'.",
        given=given.id,
        option=given.called("id"),
    )
    seats = asker.ask(
        "Seats",
        str(likely_seats(found)),
        answers.seats,
        means="How many players it seats, or which seats there are: 1 2 4 5.",
        given=given.seats,
        option=given.called("seats"),
    )
    small, big = asker.ask(
        "Blinds",
        "25/50",
        answers.blinds,
        means="Small and big blind, until the room's clock says otherwise.",
        given=given.blinds,
        option=given.called("blinds"),
    )
    rulebook = asker.ask(
        "Rule book",
        RULEBOOK,
        answers.rulebook(rulebooks, path.absolute().parent),
        means=f"It decides what is done about a mistake: {', '.join(rulebooks)}, "
        "or a file: house.toml.",
        given=given.rulebook,
        option=given.called("rulebook"),
    )
    board = asker.ask(
        "Antennas of the board",
        str(likely_board(found, seats)),
        answers.board,
        means="One for all its cards, or one per card: 5.",
        given=given.board,
        option=given.called("board"),
    )
    zones = given.called("zones")
    fitted = fit(asker, found, seats, board, given=given.zones, option=zones, terminal=terminal)
    return Settings(
        id=name,
        rulebook=rulebook,
        seats=seats,
        small=small,
        big=big,
        devices=tuple(fitted),
    )


def _places(
    asker: Questions, path: Path, name: str, given: Given, runtime: Path | None
) -> Places | None:
    run = "run" if runtime is None else str(runtime / f"cutcard-{name}")
    socket = f"{run}/dealer.sock"
    fits = len(bytes(path.absolute().parent / socket)) <= LONGEST_SOCKET_PATH

    def parse(text: str) -> str:
        answers.one_of((SERVICE, HERE), "place")(text)
        if text == HERE and not fits:
            raise AnswerError(f"{path.absolute().parent} is too long a path for a socket")
        return text

    screen = asker.ask(
        "Screen",
        SERVICE if path.absolute().is_relative_to("/etc") or not fits else HERE,
        parse,
        means="How the table and the dealer's screen are started. service: "
        "systemd runs both, in /run/cutcard. here: you start both by "
        "hand, and their files go beside this one.",
        given=given.screen,
        option=given.called("screen"),
    )
    return None if screen == SERVICE else Places(socket, "journal.sqlite", f"{run}/keys")


def room(asker: Questions, given: Given) -> Room | None:
    """The room's broker; None for a table without one."""
    broker = asker.ask(
        "Broker",
        answers.NONE,
        answers.broker,
        means="Where the room's MQTT runs, for the blinds clock and the floor's alerts: "
        f"{answers.NONE}, {answers.HERE}, or HOST or HOST:PORT.",
        given=given.broker,
        option=given.called("broker"),
    )
    if broker is None:
        return None
    host, port = broker
    site = asker.ask(
        "Site",
        "main",
        answers.site,
        means="Which site the table belongs to; `cutcard room` has to have the same.",
        given=given.site,
        option=given.called("site"),
    )
    if host == "localhost" and given.ca_file is None:
        return Room(host, site, port, None, given.password_file)
    ca_file = asker.ask(
        "CA file",
        answers.NONE,
        _file,
        means="The certificate that vouches for the broker; it turns TLS "
        "on. Without it, everybody on the network can read along.",
        given=given.ca_file,
        option=given.called("ca_file"),
    )
    return Room(host, site, port, ca_file, given.password_file)


def _file(text: str) -> str | None:
    if text == answers.NONE:
        return None
    file = Path(text).absolute()
    if not file.is_file():
        raise AnswerError(f"{file}: no such file")
    return str(file)
