"""The parts of a table that the doctor knows, and how each is looked over."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Collection, Sequence
from contextlib import aclosing
from pathlib import Path

from msgspec import Struct, structs

from controller.install.bench import Bench, BenchError, BenchLostError, open_bench
from controller.install.doctor import (
    antennas,
    broker,
    disk,
    floor,
    gpio,
    machine,
    pages,
    ports,
    readers,
    records,
    screen,
    seats,
    services,
    swap,
    time_kept,
)
from controller.install.doctor.check import Check, Probe, fail, skipped
from controller.install.doctor.person import Person
from controller.install.doctor.system import System
from controller.install.doctor.timed import broken, in_time, made
from controller.storage.database import DatabaseError
from controller.table.config import TableConfig
from firmware_bridge.health import BridgeHealth

CREDENTIALS = Path("/etc/credstore")

Tell = Callable[[Check], None]
Guide = Callable[[TableConfig, Bench, Person], AsyncGenerator[Check, None]]

PARTS = {
    "computer": "kernel, Python, power",
    "services": "what systemd runs",
    "ports": "serial ports: permissions, and who else has them open",
    "gpio": "buttons on the computer's own pins",
    "screen": "what the dealer's screen needs",
    "rulebook": "the rule book",
    "deck": "the decks: complete, and readable by nobody else",
    "floor": "who signs in as floor at the screen",
    "journal": "the journal: complete and unchanged",
    "disk": "free space, and what must be in memory only",
    "clock": "the clock",
    "broker": "the room's broker: network, certificate, password, permissions",
    "room": "the room's pages, here and on players' phones",
    "readers": "readers and boards: what they are and run",
    "antennas": "guided: one card on each antenna",
    "buttons": "guided: each button once",
    "lamps": "guided: each lamp once",
}
"""Name and what it is about, in the order in which they are looked at."""

GUIDES: dict[str, Guide] = {
    "antennas": antennas.guide,
    "buttons": seats.guide_buttons,
    "lamps": seats.guide_lamps,
}
GUIDED = tuple(GUIDES)
AT_BENCH = ("readers", *GUIDED)
NO_CONFIG = "no table settings were given"
NO_TERMINAL = "there is no terminal to answer on"


class Patient(Struct, frozen=True):
    """What is looked over. `config` is None before there is one; `hidden`: only root can see
    the secrets that systemd hands to the service; `person` is None where nobody can answer.
    `room` is where the room's pages are, if not on its broker's machine."""

    config: TableConfig | None
    system: System
    hidden: bool = False
    person: Person | None = None
    room: str | None = None


async def examine(
    patient: Patient,
    chosen: Collection[str],
    tell: Tell,
    begin: Callable[[str], None] = lambda _part: None,
) -> None:
    """Looks over the chosen parts: tells which one begins, and of each check as it is made.

    Raises nothing: what breaks is told as a check that failed.
    """
    shown = await in_time("services", lambda: services.unit(patient.system, services.TABLE))
    unit = None if isinstance(shown, Check) else shown
    for name in PARTS:
        if name in chosen and name not in AT_BENCH:
            part = _Part(name, tell)
            begin(name)
            try:
                if name == "broker" and patient.config is not None:
                    hidden = _hidden("login") if patient.hidden else None
                    steps = broker.look(patient.system, patient.config, hidden=hidden)
                    async for check in steps:
                        part.tell(check)
                else:
                    for probe in _probes(name, patient, unit):
                        for check in await made(probe):
                            part.tell(check)
            except Exception as error:  # a bug of ours costs one part
                part.tell(broken(name, error))
    await _at_bench(patient, [_Part(name, tell) for name in AT_BENCH if name in chosen], begin)


class _Part:
    def __init__(self, name: str, tell: Tell) -> None:
        self.name = name
        self._tell = tell

    def tell(self, check: Check) -> None:
        self._tell(structs.replace(check, part=self.name))


def _probes(name: str, patient: Patient, unit: dict[str, str] | None) -> list[Probe]:
    system, config = patient.system, patient.config
    account = services.account(unit)
    match name:
        case "computer":
            return machine.probes(system)
        case "services":
            return services.probes(system)
        case "screen":
            dealer = services.unit(system, services.DEALER) or {}
            return screen.probes(
                system,
                services.account(dealer),
                dealer_runs=dealer.get("ActiveState") == "active",
            )
        case "clock":
            return time_kept.probes(system)
        case "disk":
            where = (None, None) if config is None else (config.journal, config.keys)
            return [*disk.probes(system, *where), *swap.probes(system)]
        case "ports":
            paths = [] if config is None else [port.port for port in config.ports]
            found = ports.probes(system, account, paths)
            return [*found, *([] if config is not None else [_without_config(name)])]
        case "room" if config is not None or patient.room is not None:
            broker = None if config is None else config.broker
            return pages.probes(system, broker, patient.room)
    if config is None:
        return [_without_config(name)]
    match name:
        case "gpio":
            return gpio.probes(system, account, config.panels, unit)
        case "deck":
            if not config.decks and patient.hidden:
                return [Probe(name, lambda: [_hidden("deck")])]
            return records.deck_probes(system, account, config)
        case "floor":
            if config.floor is None and patient.hidden:
                return [Probe(name, lambda: [_hidden("floor")])]
            return floor.probes(system, account, config)
        case "rulebook":
            return records.book_probes(config)
        case "journal":
            return records.journal_probes(system, account, config)
    raise AssertionError(name)


def _without_config(name: str) -> Probe:
    todo = "Name the table's settings: cutcard doctor --config table.toml"
    return Probe(name, lambda: [skipped(name, NO_CONFIG, todo)])


def _hidden(name: str) -> Check:
    return skipped(name, f"only root may look into {CREDENTIALS}", records.SUDO)


# --- readers, antennas, buttons, lamps ---


async def _at_bench(patient: Patient, left: list[_Part], begin: Callable[[str], None]) -> None:
    if not left:
        return
    if patient.config is None:
        _leave(left, NO_CONFIG)
        return
    if patient.person is None and all(part.name in GUIDES for part in left):
        _leave(left, NO_TERMINAL)
        return
    here = left[0]
    try:
        async with open_bench(patient.config) as bench:
            health = await readers.settled(bench)
            while left:
                here = left[0]
                begin(here.name)
                await _of_bench(here, patient.config, bench, health, patient.person)
                left.pop(0)
    except BenchLostError as error:
        here.tell(fail("bench", str(error), "Check again once it is back: cutcard doctor"))
        _leave(left[1:], str(error))
    except BenchError as error:
        _leave(left, str(error), records.SUDO)
    except DatabaseError as error:
        _leave(left, str(error), "See: cutcard doctor --only journal")
    except Exception as error:  # a bug of ours costs these parts
        here.tell(broken("bench", error))
        _leave(left[1:], "the bench failed")


def _leave(parts: Sequence[_Part], why: str, todo: str = "") -> None:
    for part in parts:
        part.tell(skipped(part.name, why, todo))


async def _of_bench(
    part: _Part, config: TableConfig, bench: Bench, health: BridgeHealth, person: Person | None
) -> None:
    try:
        if part.name not in GUIDES:
            for check in readers.judge(config, health):
                part.tell(check)
        elif person is None:
            part.tell(skipped(part.name, NO_TERMINAL))
        else:
            async with aclosing(GUIDES[part.name](config, bench, person)) as checks:
                async for check in checks:
                    part.tell(check)
    except (BenchError, DatabaseError):
        raise
    except Exception as error:  # a bug of ours costs one part
        part.tell(broken(part.name, error))
