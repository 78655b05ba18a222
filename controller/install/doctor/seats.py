"""The seats' buttons and lamps, one by one: the person presses, or says what shines."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress

from controller.install.bench import Bench, BenchError, BenchRefusedError
from controller.install.doctor.check import Check, fail, ok, refused, skipped
from controller.install.doctor.person import LeftError, NobodyError, Person
from controller.table.config import TableConfig
from firmware_bridge.sensed import Press

PRESS_S = 20.0
LAMP_S = 60

_NOBODY = "nobody answers: there is no terminal"
_LEFT = "the rest was skipped"


def judge_press(wanted: tuple[int, str], came: tuple[int, str] | None) -> Check:
    """What came of one button; None if nothing did."""
    name = _button(wanted)
    if came is None:
        return fail(
            name,
            "nothing came",
            "Check its wire and its pin, in the order of `buttons` in table.toml: "
            "cutcard doctor --only buttons",
        )
    if came != wanted:
        return fail(
            name,
            f"it reports {_button(came)}",
            "Put `buttons` in table.toml into the order of the wires, then: "
            "cutcard doctor --only buttons",
        )
    return ok(name, "pressed")


def judge_lamp(seat: int, shines: bool | None) -> Check:
    """What the person saw; None if that was skipped."""
    name = f"seat {seat}'s lamp"
    if shines is None:
        return skipped(name, "skipped")
    if not shines:
        return fail(
            name,
            "it does not blink",
            "If another one did, put `lamps` in table.toml into the order "
            "of the chain; else check its wire and power: docs/pico.md",
        )
    return ok(name, "it blinks")


async def guide_buttons(
    config: TableConfig, bench: Bench, person: Person
) -> AsyncGenerator[Check, None]:
    """Asks for each button in turn. Raises BenchError."""
    if not config.presses:
        yield skipped("buttons", "the table has none")
        return
    hand = (await bench.health()).hand
    if hand is not None:
        yield refused("buttons", f"hand {hand} is open: a press would be the player's")
        return
    long = {(b.seat, b.long) for panel in config.panels for b in panel.buttons}
    person.say("Each button once. s skips one, q ends this part.")
    try:
        async with aclosing(bench.presses()) as presses:
            heard: asyncio.Queue[Press] = asyncio.Queue()

            async def listen() -> None:
                async for press in presses:
                    heard.put_nowait(press)

            listening = asyncio.create_task(listen())
            await bench.health()  # one round trip later the bench has heard us
            try:
                for wanted in config.presses:
                    yield await _button_of(wanted, heard, listening, person, is_long=wanted in long)
            finally:
                listening.cancel()
                await asyncio.gather(listening, return_exceptions=True)
    except BenchRefusedError as error:
        yield refused("buttons", error.reason)
    except NobodyError:
        yield skipped("buttons", _NOBODY)
    except LeftError:
        yield skipped("buttons", _LEFT)


async def guide_lamps(
    config: TableConfig, bench: Bench, person: Person
) -> AsyncGenerator[Check, None]:
    """Lights each lamp in turn and asks. Raises BenchError."""
    seats = sorted(seat for wiring in config.wirings() for seat in wiring.lamps)
    if not seats:
        yield skipped("lamps", "the table has none")
        return
    try:
        for seat in seats:
            try:
                await bench.light(seat, "attention", LAMP_S)
            except BenchRefusedError as error:
                yield fail(
                    f"seat {seat}'s lamp",
                    error.reason,
                    "Try its board: cutcard doctor --only readers",
                )
                continue
            try:
                yield judge_lamp(seat, await person.yes(f"Is seat {seat}'s lamp blinking?"))
            finally:
                await _give_back(bench, seat)
    except NobodyError:
        yield skipped("lamps", _NOBODY)
    except LeftError:
        yield skipped("lamps", _LEFT)


async def _give_back(bench: Bench, seat: int) -> None:
    with suppress(BenchError):
        await bench.light(seat, "attention", 0)


async def _button_of(
    wanted: tuple[int, str],
    heard: asyncio.Queue[Press],
    listening: asyncio.Task[None],
    person: Person,
    *,
    is_long: bool,
) -> Check:
    while not heard.empty():
        heard.get_nowait()
    person.say(f"{'Hold' if is_long else 'Press'} {_button(wanted)}.")
    came = asyncio.create_task(heard.get())
    answer = asyncio.create_task(person.line())
    try:
        await asyncio.wait(
            (came, answer, listening), timeout=PRESS_S, return_when=asyncio.FIRST_COMPLETED
        )
        if came.done():
            press = came.result()
            return judge_press(wanted, (press.seat, press.button))
        if answer.done():
            match answer.result().lower():
                case "s":
                    return skipped(_button(wanted), "skipped")
                case "q":
                    raise LeftError
        elif listening.done():
            await listening
        return judge_press(wanted, None)
    finally:
        for task in (came, answer):
            task.cancel()
        await asyncio.gather(came, answer, return_exceptions=True)


def _button(one: tuple[int, str]) -> str:
    return f"seat {one[0]}'s {one[1]}"
