"""Who is at which serial port, and what a person has to do where that can't be said."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence

from controller.install import init_answers as answers
from controller.install.init_ask import NotWrittenError, Questions
from firmware_bridge.families import FAMILIES
from firmware_bridge.probe import Answer, NobodyThere, as_delivered, who_is_at
from firmware_bridge.search import every_port, ports_at

_FAST_FIRST = sorted(FAMILIES.values(), key=lambda family: -family.baud)
MANNERS = tuple(map(as_delivered, _FAST_FIRST))


def roll_call(
    asker: Questions, patterns: Sequence[str] | None
) -> tuple[list[Answer], list[NobodyThere]]:
    """Who is at the ports, asked again for as long as a person wants it."""
    while True:
        ports = every_port() if patterns is None else ports_at(patterns)
        asker.tell(_looking(ports))
        said = asyncio.run(_ask_all(ports, asker.tell)) if ports else []
        found = [each for each in said if isinstance(each, Answer)]
        silent = [each for each in said if isinstance(each, NobodyThere)]
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
    most = sum(manner.family.answers_within_s for manner in MANNERS)
    return f"Checking what is at {count}; this takes up to {most:.0f} seconds …"


async def _ask_all(ports: Sequence[str], tell: Callable[[str], None]) -> list[Answer | NobodyThere]:
    async def one(port: str) -> Answer | NobodyThere:
        said = await who_is_at(port, MANNERS, clock=time.monotonic)
        tell(f"  {line(said)}")
        return said

    return list(await asyncio.gather(*(one(port) for port in ports)))


def line(said: Answer | NobodyThere) -> str:
    """Who is at a port; for a port that can't be asked, what to do."""
    if isinstance(said, NobodyThere):
        if "busy" in said.text:
            return f"{said.text} (the table's service? sudo systemctl stop cutcard-table)"
        if "may not be opened" in said.text:
            return f"{said.text} (sudo usermod -aG dialout $USER, then log in again)"
        return said.text
    family = said.manner.family
    parts = [f"{said.zones} antennas"] if family.is_board else []
    parts += [f"{said.buttons} buttons"] if said.buttons else []
    parts += [f"{said.lamps} lamps"] if said.lamps else []
    if family.most_zones > 1 and not family.is_board:
        parts = ["several antennas" if said.zones > 1 else "one antenna"]
    parts += [f"id {said.id}"] if said.id else []
    more = f": {', '.join(parts)}" if parts else ""
    return f"{said.port}: {said.firmware}{more}"


def silent_ports(asker: Questions, silences: Sequence[NobodyThere]) -> list[Answer]:
    """What a person knows of ports where nobody answered."""
    known = []
    for each in silences:
        if not each.opened:
            continue
        family = asker.ask(
            f"What is at {each.port}",
            answers.NONE,
            answers.reader,
            means=f"Nothing answered there. {_unheard()}",
        )
        if family is not None:
            manner = as_delivered(family)
            known.append(Answer(each.port, manner, family.name, family.usual_zones))
    return known


def _unheard() -> str:
    """Which devices may be there all the same, and which not."""
    reasons = [family.unheard for family in FAMILIES.values() if family.unheard]
    *heard, last = (family.name for family in FAMILIES.values() if not family.unheard)
    told = "; ".join([*reasons, f"{', '.join(heard)} and {last} should have answered."])
    return told[0].upper() + told[1:]
