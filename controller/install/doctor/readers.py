"""Readers, boards and what they run, as the bridge that talks to them tells it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from controller.install.bench import Bench
from controller.install.doctor.check import Check, fail, ok, warn
from controller.table.config import TableConfig
from firmware_bridge.bridge import Wiring
from firmware_bridge.cycles import SLOW_S
from firmware_bridge.health import BridgeHealth, LinkHealth

ANSWER_S = 4.0
"""All that are plugged in have said who they are."""
LOOK_EVERY_S = 0.2
MANY_BAD = 20


async def settled(bench: Bench) -> BridgeHealth:
    """How the bridge is once every device is up, or after a while. Raises BenchError."""
    until = asyncio.get_running_loop().time() + ANSWER_S
    while True:
        health = await bench.health()
        everything = all(link.state == "up" for link in health.links) and not health.lost_zones
        if everything or asyncio.get_running_loop().time() > until:
            return health
        await asyncio.sleep(LOOK_EVERY_S)


def judge(config: TableConfig, health: BridgeHealth) -> list[Check]:
    """Every device, and what the zones have to say."""
    wirings = {wiring.port: wiring for wiring in config.wirings()}
    checks = [judge_link(link, wirings.get(link.port)) for link in health.links]
    if (versions := judge_versions(health.links)) is not None:
        checks.append(versions)
    up = {link.port for link in health.links if link.state == "up"}
    for wiring in config.wirings():
        lost = [zone for zone in wiring.zones if zone in health.lost_zones]
        if lost and wiring.port in up:
            checks.append(
                fail(
                    "antennas",
                    f"{wiring.port} reports nothing for {', '.join(map(spoken, lost))}",
                    "Check those readers' cables and power, then try them alone: "
                    "cutcard doctor --only antennas",
                )
            )
    for one, other in health.contested:
        checks.append(
            warn(
                "antennas",
                f"{spoken(one)} and {spoken(other)} read the same card",
                "Move them apart, or shield them, and try: cutcard doctor --only antennas",
            )
        )
    checks.extend(
        warn("antennas", f"{spoken(zone)}: cards can't be told apart", "Spread what lies there.")
        for zone in health.incomplete
    )
    return checks


def judge_link(link: LinkHealth, wiring: Wiring | None) -> Check:
    """One device; `wiring` is None for a board of buttons."""
    port = link.port
    if link.state == "wrong version":
        return fail(
            port,
            _without(port, link.text) or "it speaks another version of the protocol",
            "Put this version's firmware on it: docs/pico.md, “Put it on a Pico”.",
        )
    if link.state == "handshake":
        what = "" if wiring is None else f" as a {wiring.device}, at {wiring.baud} baud"
        return fail(
            port,
            f"it is open and nothing answers{what}",
            "Check that [[port]] reader and baud are right and the device "
            "has power; docs/readers.md and docs/pico.md show how it is "
            "wired.",
        )
    if link.state == "closed":
        return fail(
            port,
            _without(port, link.text) or "it can't be opened",
            f"See what is wrong there: cutcard doctor --only {'ports' if wiring else 'gpio'}",
        )
    if link.text:
        found = _without(port, link.text)
        if " configured" in found:
            return fail(
                port,
                found,
                "Give this [[port]] as many zones, buttons and lamps as the "
                "device has, or say in [boards.…] what hangs on it and `cutcard pico flash` it "
                "again (docs/pico.md).",
            )
        return fail(port, found, "See docs/readers.md, “How they are read”.")
    bad = link.decoder.bad_cobs + link.decoder.bad_crc + link.decoder.too_long
    said = f"{link.firmware or 'it answers'}" + (f", id {link.device}" if link.device else "")
    if bad > MANY_BAD:
        return warn(
            port,
            f"{said}; {bad} frames arrived damaged",
            "Use a shorter cable, or a shielded one, and plug it into the computer itself.",
        )
    if wiring is not None:
        said += f": {_count(len(wiring.zones), 'antenna')}"
        said += "".join(
            f", {_count(number, what)}"
            for number, what in ((len(wiring.buttons), "button"), (len(wiring.lamps), "lamp"))
            if number
        )
    if link.cycle_s is None:
        return ok(port, said)
    said += f"; slowest scan cycle {link.cycle_s:.2f} s"
    if link.cycle_s >= SLOW_S:
        return warn(
            port,
            f"{said}: too slow to tell in which order cards came",
            "Find the antenna that takes so long: cutcard doctor --bench",
        )
    return ok(port, said)


def judge_versions(links: Sequence[LinkHealth]) -> Check | None:
    """Boards of one table with several firmwares; None where there are no two boards."""
    boards = {link.port: link.firmware for link in links if link.device and link.firmware}
    if len(boards) < 2:
        return None
    if len(set(boards.values())) == 1:
        return ok("firmware", f"all {len(boards)} boards run {next(iter(boards.values()))}")
    said = "; ".join(f"{port}: {firmware}" for port, firmware in sorted(boards.items()))
    return warn("firmware", said, "Put the same firmware on all of them: docs/pico.md")


def spoken(zone: str) -> str:
    """A zone as people say it."""
    return zone.replace("/", " ")


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'s' if number != 1 else ''}"


def _without(port: str, text: str) -> str:
    for start in (f"{port}: ", f"{port} "):
        text = text.removeprefix(start)
    return text
