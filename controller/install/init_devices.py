"""What the devices are at the table: zones, buttons and lamps, found out with a person's help."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from itertools import takewhile

from msgspec import structs

from controller.install import init_answers as answers
from controller.install.init_ask import GivenError, Questions
from controller.install.init_lay import Antenna, Bench
from controller.install.init_plan import (
    LABEL_SETS,
    Buttons,
    Fitted,
    check_zones,
    fill,
    fill_buttons,
    read_zones,
    reads_pucks,
    spell,
    suggest_buttons,
    suggest_lamps,
    suggest_zones,
    wanted,
)
from firmware_bridge.probe import Answer
from firmware_bridge.sensed import SeatButton

LEAVE_OUT = "-"


def fit(
    asker: Questions,
    found: Sequence[Answer],
    seats: Sequence[int],
    board: int,
    *,
    given: Mapping[str, str],
    option: str,
    terminal: int | None,
) -> list[Fitted]:
    """What each antenna, button and lamp is. `board` antennas lie under the board, `given` are
    the zones of some ports, by an `option` of that name, `terminal` is where a person can press
    Enter while the devices are listened to.

    Devices that are left out are not returned.
    """
    for port in given:
        if all(port != each.port for each in found):
            raise GivenError(f"{option}: nobody answered at {port}")
    fitted = None
    readers = [each for each in found if each.manner.family.reads == "cards"]
    if readers and terminal is not None and not (asker.defaults or given):
        fitted = _by_card(asker, readers, wanted(seats, board), terminal)
    if fitted is None:
        fitted = []
        readers = []
    left = [each for each in found if each not in readers]
    suggested = suggest_zones(left, seats, board) if left else []
    fitted = _by_name(asker, left, fitted, suggested, given=given, option=option)
    fitted = _buttons(asker, fitted, seats, terminal)
    fitted = _lamps(asker, fitted, seats, terminal)
    return [each for each in fitted if each.zones or each.buttons]


def _by_card(
    asker: Questions, readers: Sequence[Answer], zones: Sequence[str], terminal: int
) -> list[Fitted] | None:
    if not asker.agree(
        "Find the antennas with a card",
        default=True,
        means="You lay a card on each zone in turn; there is nothing to "
        "count or name. Otherwise you say which antenna is which.",
    ):
        return None
    found = asyncio.run(_lay(asker, readers, zones, terminal))
    if not found:
        return None
    taken = set(found.values())
    fitted = []
    for each in readers:
        here = {
            antenna.number: zone for antenna, zone in found.items() if antenna.port == each.port
        }
        count = each.zones if each.manner.family.is_board else max(here, default=-1) + 1
        named = fill(here, count, taken)
        taken.update(named)
        spare = [zone for zone in named if zone not in here.values()]
        if spare:
            asker.tell(
                f"  {each.port}: no card was laid on {len(spare)} of its "
                f"antennas: they are called {spell(spare)} for now"
            )
        fitted.append(Fitted(each, named))
    return fitted


async def _lay(
    asker: Questions, readers: Sequence[Answer], zones: Sequence[str], terminal: int
) -> dict[Antenna, str] | None:
    bench = Bench(asker, terminal, time.monotonic)
    async with bench.opened(readers):
        return await bench.lay(zones)


def _by_name(
    asker: Questions,
    left: Sequence[Answer],
    fitted: Sequence[Fitted],
    suggested: Sequence[tuple[str, ...]],
    *,
    given: Mapping[str, str],
    option: str,
) -> list[Fitted]:
    done = list(fitted)
    for each, zones in zip(left, suggested, strict=True):
        taken = {zone for other in done for zone in other.zones if not reads_pucks(other.answer)}
        free = [zone for zone in zones if reads_pucks(each) or zone not in taken]
        if each.manner.family.is_board and len(free) < each.zones:
            free = list(fill(dict(enumerate(free)), each.zones, taken))
            if len(free) < each.zones:
                asker.tell(f"{_name(each)} has more antennas than there are zones left")
                free = []

        def parse(text: str, each: Answer = each, taken: set[str] = taken) -> tuple[str, ...]:
            if text == LEAVE_OUT:
                return ()
            named = read_zones(text)
            check_zones(named, each, taken)
            return named

        named = asker.ask(
            f"Zones of {_name(each)}",
            spell(free) or LEAVE_OUT,
            parse,
            means=f"Its antennas in order ({_how_many(each)}): seat/1-9, board, "
            f"board/1-5, burn, muck, stub; {LEAVE_OUT} leaves the device "
            "out.",
            given=given.get(each.port),
            option=option,
        )
        done.append(Fitted(each, named))
    return done


def _buttons(
    asker: Questions, fitted: Sequence[Fitted], seats: Sequence[int], terminal: int | None
) -> list[Fitted]:
    boards = [each for each in fitted if each.answer.buttons and each.zones]
    if not boards:
        return list(fitted)
    pressed = None
    if (
        terminal is not None
        and not asker.defaults
        and asker.agree(
            "Find the buttons by pressing them",
            default=True,
            means="You press each seat's buttons in turn. Otherwise they are "
            "taken to be wired seat by seat.",
        )
    ):
        total = sum(each.answer.buttons for each in boards)
        usual = LABEL_SETS[min(max(total // len(seats), 1), len(LABEL_SETS)) - 1]
        labels = asker.ask(
            "Buttons of a seat",
            " ".join(usual),
            answers.labels,
            means="What they say, in the order you will press them.",
        )
        pressed = asyncio.run(_press(asker, boards, seats, labels, terminal))
    done = []
    taken = set(pressed.values()) if pressed else set()
    for each in fitted:
        buttons: Buttons = ()
        if each in boards and pressed:
            port = each.answer.port
            here = {which.number: said for which, said in pressed.items() if which.port == port}
            buttons = fill_buttons(here, each.answer.buttons, taken)
            taken.update(buttons)
            if len(here) < len(buttons):
                asker.tell(
                    f"  {len(buttons) - len(here)} buttons of {port} were not "
                    "pressed: each has a name of its own, to be changed in the "
                    "file"
                )
        elif each in boards:
            buttons = suggest_buttons(each.answer, each.zones, seats)
            if set(buttons) & taken:
                buttons = ()
            says = " ".join(dict.fromkeys(label for _, label in buttons))
            of = " ".join(str(seat) for seat in dict.fromkeys(seat for seat, _ in buttons))
            known = f"{says}, at seats {of}" if buttons else "no seat's"
            rest = each.answer.buttons - len(buttons)
            more = f"; {rest} more have names of their own" if rest else ""
            asker.tell(f"Buttons of {_name(each.answer)}: {known}{more}")
            buttons = fill_buttons(dict(enumerate(buttons)), each.answer.buttons, taken)
            taken.update(buttons)
        done.append(structs.replace(each, buttons=buttons))
    return done


async def _press(
    asker: Questions,
    boards: Sequence[Fitted],
    seats: Sequence[int],
    labels: Sequence[SeatButton],
    terminal: int,
) -> dict[Antenna, tuple[int, SeatButton]] | None:
    bench = Bench(asker, terminal, time.monotonic)
    async with bench.opened([each.answer for each in boards]):
        return await bench.press(seats, labels)


def _lamps(
    asker: Questions, fitted: Sequence[Fitted], seats: Sequence[int], terminal: int | None
) -> list[Fitted]:
    """A seat has one lamp. They go by their index: a row ends where a seat has one already."""
    boards = [each.answer for each in fitted if each.answer.lamps and each.zones]
    lit: dict[str, tuple[int, ...]] = {}
    if (
        boards
        and terminal is not None
        and not asker.defaults
        and asker.agree(
            "Find the lamps by lighting them",
            default=True,
            means="Each lamp blinks in turn, and you say whose it is. Otherwise "
            "they are taken to be in seat order.",
        )
    ):
        lit = asyncio.run(_light(asker, boards, seats, terminal))
    taken: set[int] = set()
    done = []
    for each in fitted:
        row: tuple[int, ...] = ()
        if lit:
            row = lit.get(each.answer.port, ())
        elif each.answer in boards:
            told = suggest_lamps(each.answer, each.zones, seats)
            row = tuple(takewhile(lambda seat: seat not in taken, told))
            taken.update(row)
        done.append(structs.replace(each, lamps=row))
    return done


async def _light(
    asker: Questions, boards: Sequence[Answer], seats: Sequence[int], terminal: int
) -> dict[str, tuple[int, ...]]:
    bench = Bench(asker, terminal, time.monotonic)
    async with bench.opened(boards):
        return await bench.light(boards, seats)


def _name(answer: Answer) -> str:
    return f"{answer.firmware} at {answer.port}"


def _how_many(answer: Answer) -> str:
    if answer.manner.family.is_board:
        return f"all {answer.zones}"
    return f"up to {answer.zones}" if answer.zones > 1 else "one"
