"""Who is at which serial port, and what a person has to do where that can't be said."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence

from controller.install import init_answers as answers
from controller.install.init_ask import Asker, NotWrittenError
from controller.table.attached import AS_DELIVERED, MOST_ZONES
from firmware_bridge.search import every_port, ports_at
from firmware_bridge.wire import ANSWERS_WITHIN_S, Answer, Manner, Silence, who_is_at

MANNERS = tuple(Manner(device, *AS_DELIVERED[device]) for device in ANSWERS_WITHIN_S)


def roll_call(asker: Asker, patterns: Sequence[str] | None) -> tuple[list[Answer], list[Silence]]:
    """Who is at the ports, asked again for as long as a person wants it."""
    while True:
        ports = every_port() if patterns is None else ports_at(patterns)
        asker.tell(_looking(ports))
        said = asyncio.run(_ask_all(ports, asker.tell)) if ports else []
        found = [each for each in said if isinstance(each, Answer)]
        silent = [each for each in said if isinstance(each, Silence)]
        if asker.defaults:
            break
        if not silent and found:
            break
        if not asker.agree(
            "Look again",
            default=not found,
            means="After plugging in a device, or once another program has released its port.",
        ):
            break
    if not asker.defaults:
        found += silent_ports(asker, silent)
    if not found:
        where = "is no serial port" if not ports else "is no device that is known here"
        raise NotWrittenError(f"there {where}: nothing was written")
    return found, silent


def _looking(ports: Sequence[str]) -> str:
    if not ports:
        return "There is no serial port."
    count = "1 port" if len(ports) == 1 else f"{len(ports)} ports"
    most = sum(ANSWERS_WITHIN_S.values())
    return f"Checking what is at {count}; this takes up to {most:.0f} seconds …"


async def _ask_all(ports: Sequence[str], tell: Callable[[str], None]) -> list[Answer | Silence]:
    async def one(port: str) -> Answer | Silence:
        said = await who_is_at(port, MANNERS, clock=time.monotonic)
        tell(f"  {line(said)}")
        return said

    return list(await asyncio.gather(*(one(port) for port in ports)))


def line(said: Answer | Silence) -> str:
    """Who is at a port; for a port that can't be asked, what to do."""
    if isinstance(said, Silence):
        if "busy" in said.text:
            return f"{said.text} (the table's service? sudo systemctl stop cutcard-table)"
        if "may not be opened" in said.text:
            return f"{said.text} (sudo usermod -aG dialout $USER, then log in again)"
        return said.text
    parts = [f"{said.zones} antennas"] if said.manner.device == "pico" else []
    parts += [f"{said.buttons} buttons"] if said.buttons else []
    parts += [f"{said.lamps} lamps"] if said.lamps else []
    if said.manner.device == "feig":
        parts = ["several antennas" if said.zones > 1 else "one antenna"]
    parts += [f"id {said.id}"] if said.id else []
    more = f": {', '.join(parts)}" if parts else ""
    return f"{said.port}: {said.firmware}{more}"


def silent_ports(asker: Asker, silences: Sequence[Silence]) -> list[Answer]:
    """What a person knows of ports where nobody answered."""
    known = []
    for each in silences:
        if not each.opened:
            continue
        device = asker.ask(
            f"What is at {each.port}",
            answers.NONE,
            answers.reader,
            means="Nothing answered there. An rdm6300 only speaks while a tag "
            "is on it; pico, pn532, feig and yrm100 should have answered.",
        )
        if device is not None:
            manner = Manner(device, *AS_DELIVERED[device])
            most = 13 if device == "pico" else MOST_ZONES[device]
            known.append(Answer(each.port, manner, device, most))
    return known
