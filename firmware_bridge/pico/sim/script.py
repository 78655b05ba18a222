"""Scripts for the simulated Pico: one line each, `SECONDS COMMAND ARGUMENT ...`.

    0.5 place ZONE UID      a tag comes into a field
    1.0 take ZONE UID       and leaves it
    1.5 press BUTTON        with a number behind it, the contact bounces so often each way
    2.0 hang READER HOW     busy, dead, mute or field; `for good` behind it: no reset helps
    3.0 heal READER
    4.0 freeze              the firmware stands still until its watchdog bites
    5.0 reboot              the power fails for a moment
    6.0 cut                 the wires that bring the flags of the Pico beside break
    9.0 end

Seconds count from the start and never decrease. `#` begins a comment. With two Picos, the
zones of the second are numbered on, and all else befalls the first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from difflib import get_close_matches

from msgspec import Struct

from firmware_bridge.pico.sim.pico import SimulatedPico
from firmware_bridge.pico.sim.pn5180 import Trouble


class ScriptError(ValueError):
    """A line that is no step; the text names it."""


class Step(Struct, frozen=True):
    """One line."""

    at: float
    command: str
    arguments: tuple[str, ...]


def _place(pico: SimulatedPico, zone: str, uid: str) -> None:
    pico.air.place(int(zone), uid)


def _take(pico: SimulatedPico, zone: str, uid: str) -> None:
    pico.air.take(int(zone), uid)


def _press(pico: SimulatedPico, button: str, bounces: str = "0") -> None:
    pico.press(int(button), bounces=int(bounces))


def _hang(pico: SimulatedPico, reader: str, how: str = "busy", *for_good: str) -> None:
    if for_good not in ((), ("for", "good")):
        raise ValueError("after how it hangs only `for good` may come")
    pico.hang(int(reader), Trouble(how), heals=not for_good)


def _heal(pico: SimulatedPico, reader: str) -> None:
    pico.hang(int(reader), Trouble.NONE)


def _freeze(pico: SimulatedPico) -> None:
    pico.frozen = True


def _reboot(pico: SimulatedPico) -> None:
    pico.reboot()


def _cut(pico: SimulatedPico) -> None:
    pico.board.cut()


def _end(_pico: SimulatedPico) -> None:
    pass


COMMANDS: dict[str, Callable[..., None]] = {
    "place": _place,
    "take": _take,
    "press": _press,
    "hang": _hang,
    "heal": _heal,
    "freeze": _freeze,
    "reboot": _reboot,
    "cut": _cut,
    "end": _end,
}


def parse(lines: Iterable[str], name: str) -> list[Step]:
    """Return the steps of a script; raises ScriptError with `name`, line and what is wrong."""
    steps: list[Step] = []
    for number, line in enumerate(lines, 1):
        words = line.partition("#")[0].split()
        if not words:
            continue
        try:
            at = float(words[0])
        except ValueError:
            raise ScriptError(f"{name}:{number}: {words[0]!r} is no number of seconds") from None
        command = words[1] if len(words) > 1 else ""
        if command not in COMMANDS:
            near = get_close_matches(command, COMMANDS, 1, 0) or ["end"]
            raise ScriptError(f"{name}:{number}: no command {command!r}; did you mean {near[0]}?")
        if steps and at < steps[-1].at:
            raise ScriptError(f"{name}:{number}: time runs backwards")
        steps.append(Step(at, command, tuple(words[2:])))
    return steps


def do(step: Step, pico: SimulatedPico) -> None:
    """Carry out a step; raises ScriptError if its arguments fit nothing that is there."""
    try:
        COMMANDS[step.command](pico, *step.arguments)
    except (TypeError, ValueError, IndexError) as error:
        words = " ".join((step.command, *step.arguments[:1]))
        raise ScriptError(f"at {step.at:g} s: {words} ...: {error}") from None
