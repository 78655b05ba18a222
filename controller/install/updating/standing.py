"""How a machine is before and after: an update has to leave it no worse. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct


class Unit(Struct, frozen=True):
    """A service: systemd's state of it, and how often it has been started again by itself."""

    state: str
    restarts: int = 0


class Standing(Struct, frozen=True):
    """`units` are those that matter, by their names; `room` is whether the room's pages say that
    all is well, None where there are none; `failing` is what `cutcard doctor` finds amiss."""

    units: Mapping[str, Unit]
    room: bool | None = None
    failing: frozenset[str] = frozenset()


def running(standing: Standing) -> tuple[str, ...]:
    """The services that are up."""
    return tuple(name for name, unit in standing.units.items() if unit.state == "active")


def wanted(standing: Standing) -> tuple[str, ...]:
    """Those that are to be up, whether they can or not."""
    rest = ("inactive", "missing")
    return tuple(name for name, unit in standing.units.items() if unit.state not in rest)


def is_lost(name: str, now: Standing) -> bool:
    """Whether a service has given up, or comes and goes: waiting for it does not help."""
    unit = now.units.get(name, Unit("missing"))
    return unit.state in ("failed", "missing") or unit.restarts >= 3


def worse(before: Standing, now: Standing) -> tuple[str, ...]:
    """What was right before and is not any more, in words."""
    found = [
        f"{name} does not run"
        for name in running(before)
        if now.units.get(name, Unit("missing")).state != "active"
    ]
    if before.room and not now.room:
        found.append("the room's pages do not answer that all is well")
    found += [f"doctor finds amiss: {each}" for each in sorted(now.failing - before.failing)]
    return tuple(found)
