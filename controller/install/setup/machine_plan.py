"""The machine's own name and time zone: what is to be done for them. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection
from pathlib import PurePosixPath

from msgspec import Struct

from controller.contract.observations import nearest
from controller.install.init_plan import AnswerError
from controller.install.setup.steps import Act, Link, NameHost, Order, Step, Unit, Write

HOST_NAME = PurePosixPath("/etc/hostname")
HOSTS = PurePosixPath("/etc/hosts")
ZONE_LINK = PurePosixPath("/etc/localtime")
ZONE_NAME = PurePosixPath("/etc/timezone")
"""Older Debians have the zone's name here as well."""
ZONES = PurePosixPath("/usr/share/zoneinfo")
MULTICAST_NAMES = "avahi-daemon.service"
AS_SUPPLIED = ("raspberrypi", "localhost", "debian", "raspberry")
"""Names that nobody has given."""

_OWN_ADDRESSES = ("127.0.1.1", "127.0.0.1", "::1")


class Machine(Struct, frozen=True, kw_only=True):
    """What a machine has of this now. `called` is how it is called until it starts again, None
    where it does not run; without `zone_name` there is no such file. `on_console`: who types does
    so at the machine's own screen, which a screen of ours would take."""

    is_live: bool
    host_name: str
    called: str | None = None
    hosts: str = ""
    zone: str = "Etc/UTC"
    zone_name: str | None = None
    multicast: Unit = Unit()
    on_console: bool = False


def host_name(text: str) -> str:
    """A name for a machine: one label. Raises AnswerError."""
    if re.fullmatch(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?", text) is None:
        raise AnswerError("small letters, digits and '-', such as room or table-1")
    return text


def zone(text: str, zones: Collection[str]) -> str:
    """A time zone's name. Raises AnswerError."""
    if text not in zones:
        hint = nearest(text, zones) or ", only such as Europe/Berlin"
        raise AnswerError(f"there is no time zone {text[:40]!r}{hint}")
    return text


def named(now: Machine, name: str) -> Step:
    """The machine is called so."""
    acts: list[Act] = []
    if now.host_name != name:
        acts.append(Write(HOST_NAME, f"{name}\n"))
        hosts = _renamed(now.hosts, now.host_name, name)
        if hosts != now.hosts:
            acts.append(Write(HOSTS, hosts))
    if now.called not in (None, name):
        acts.append(NameHost(name))
        if now.multicast.is_active:
            acts.append(Order("try-restart", (MULTICAST_NAMES,)))
    return Step(f"host name {name}", tuple(acts))


def in_zone(now: Machine, name: str) -> Step:
    """The machine has this time zone."""
    acts: list[Act] = []
    if now.zone != name:
        acts.append(Link(ZONE_LINK, ZONES / name))
    if now.zone_name not in (None, name):
        acts.append(Write(ZONE_NAME, f"{name}\n"))
    return Step(f"time zone {name}", tuple(acts))


def _renamed(hosts: str, before: str, name: str) -> str:
    """The lines of this machine's own addresses with another name."""
    if before in ("", "localhost"):
        return hosts
    own = re.compile(rf"(?<=\s){re.escape(before)}(?=[\s.]|$)")
    return "".join(
        own.sub(name, line) if line.split()[:1] and line.split()[0] in _OWN_ADDRESSES else line
        for line in hosts.splitlines(keepends=True)
    )
