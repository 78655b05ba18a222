"""The room's pages, from here and from the phones of players."""

from __future__ import annotations

import ssl
import urllib.error
import urllib.request
from http.client import HTTPException
from typing import TypeVar
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct

from controller.install.doctor import network
from controller.install.doctor.check import Check, Probe, ok, skipped, warn
from controller.install.doctor.system import System
from controller.table.config import Broker

T = TypeVar("T", bound=Struct)

USUAL_PORT = 8080
ANSWER_S = 4.0
LONGEST_ANSWER = 1 << 16
LONGEST_WORDS = 200
PAGE = "pocket"


class _Health(Struct, frozen=True):
    ok: bool
    clock: str


class _Where(Struct, frozen=True):
    address: str = ""
    error: str = ""


class Pages(Struct, frozen=True):
    """What came of asking for them. `healthy` is None where no room answered; `phones` is the
    address that players are given, and `why_not` the reason where there is none. `told` is
    whether a connection to that address comes about from here. `refused` is what was answered
    instead of how the room is."""

    reached: network.Reached
    healthy: bool | None = None
    phones: str = ""
    why_not: str = ""
    told: network.Reached | None = None
    refused: str = ""


def address_of(broker: Broker | None, given: str | None) -> str | None:
    """Where the pages should be, with a slash at the end: as it is said, else with the broker."""
    if given is not None:
        return given.rstrip("/") + "/"
    if broker is None:
        return None
    host = f"[{broker.host}]" if ":" in broker.host else broker.host
    return f"http://{host}:{USUAL_PORT}/"


def is_address(text: str) -> bool:
    """Whether pages can be at that address."""
    try:
        parts = urlsplit(text)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


def probes(system: System, broker: Broker | None, given: str | None) -> list[Probe]:
    """Looks for the pages at `given`, else on the broker's machine."""
    address = address_of(broker, given)
    if address is None:
        todo = "Give the address of its pages: cutcard doctor --room http://room.local:8080/"
        return [Probe("pages", lambda: [skipped("pages", "this table has no [broker]", todo)])]
    return [Probe("pages", lambda: judge(address, look(system, address)))]


def look(system: System, address: str) -> Pages:
    """Asks the room how it is and where phones find it."""
    reached = _reach(system, address)
    if reached.trouble:
        return Pages(reached)
    health = _json(address + "healthz", _Health)
    if health is None:
        said = _json(address + "healthz", _Where) or _Where()
        return Pages(reached, refused=said.error[:LONGEST_WORDS])
    where = _json(f"{address}{PAGE}.json", _Where) or _Where(error="this room has no such page")
    told = _reach(system, where.address) if where.address else None
    return Pages(reached, health.ok, where.address, where.error, told)


def judge(address: str, seen: Pages) -> list[Check]:
    """Whether the pages can be had here; and how to find out whether phones get them."""
    name = "pages"
    match seen.reached.trouble:
        case "":
            pass
        case "no such name":
            todo = "Give their address: cutcard doctor --room http://10.0.0.2:8080/"
            return [warn(name, f"{address}: {seen.reached.words}", todo)]
        case "refused":
            return [
                warn(
                    name,
                    f"{address}: nothing is listening there",
                    'Start it there, with host = "0.0.0.0" in [web] of its room.toml, or say where '
                    "the pages are: cutcard doctor --room http://10.0.0.2:8080/",
                )
            ]
        case _:
            return [network.judge_silence(name, "warn", address, seen.reached)]
    if seen.refused:
        todo = "If that is the room, add this name to names in [web] of its room.toml."
        return [warn(name, f"{address}: it answers: {seen.refused}", todo)]
    if seen.healthy is None:
        todo = "Give the room's address: cutcard doctor --room http://10.0.0.2:8080/"
        return [warn(name, f"{address}: something answers, but it is not a room", todo)]
    if seen.healthy:
        return [ok(name, f"{address}: the room answers"), _phones(seen)]
    todo = f"See what is wrong with it: curl {address}healthz"
    return [warn(name, f"{address}: the room answers that it has a fault", todo), _phones(seen)]


def _phones(seen: Pages) -> Check:
    name = "phones"
    if not seen.phones:
        todo = 'Set host = "0.0.0.0" in [web] of its room.toml, if players are to see the clock.'
        return skipped(name, seen.why_not, todo)
    if seen.told is not None and seen.told.trouble not in ("", "refused"):
        return network.judge_silence(name, "warn", seen.phones, seen.told)
    if seen.told is not None and seen.told.trouble:
        todo = "Set address in [web] of its room.toml to where they find the pages."
        return warn(name, f"{seen.phones}, as phones are told: nothing is listening there", todo)
    test = seen.phones.removesuffix(PAGE) + "healthz"
    return skipped(
        name,
        f"they are told {seen.phones}, which opens here; only a phone "
        "can tell whether it does there",
        f"On a phone in the room's Wi-Fi open {test}: if words come, all is well; if it opens here "
        f"and not there, {network.ISOLATION}",
    )


def _reach(system: System, address: str) -> network.Reached:
    parts = urlsplit(address)
    port = parts.port or (443 if parts.scheme == "https" else 80)
    return network.reach(system, parts.hostname or "", port)


def _json(address: str, kind: type[T]) -> T | None:
    """What is answered there, whatever the status; None where it is something else."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE  # nothing secret is asked
    opener = urllib.request.build_opener(
        urllib.request.ProxyHandler({}), urllib.request.HTTPSHandler(context=context)
    )
    try:
        with opener.open(address, timeout=ANSWER_S) as answer:
            text = answer.read(LONGEST_ANSWER)
    except urllib.error.HTTPError as error:
        with error:
            text = error.read(LONGEST_ANSWER)
    except (OSError, HTTPException):
        return None
    try:
        return msgspec.json.decode(text, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return None
