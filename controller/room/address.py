"""Where browsers find the room: the names of this machine, and the address that phones have."""

from __future__ import annotations

import fcntl
import socket
import struct
import time
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit

from controller.room.view import PhonesAddress

PAGE = "pocket"
LOOK_AGAIN_S = 5.0
_FAR_AWAY = ("198.51.100.1", 9)
"""Nobody's (RFC 5737). Nothing is sent there: it is asked which way would be taken."""
_SIOCGIFADDR = 0x8915  # netdevice(7)
_INTERFACES = Path("/sys/class/net")


class AddressError(ValueError):
    """It can't be the address of pages; the text says why."""


def machine_names() -> tuple[str, ...]:
    """The names that this machine has for itself, and for others by multicast DNS."""
    name = socket.gethostname().lower().rstrip(".")
    short = name.partition(".")[0]
    return tuple(dict.fromkeys((name, short, f"{short}.local"))) if short else ()


def base_of(text: str) -> str:
    """An address of pages with a slash at its end. Raises AddressError."""
    try:
        parts = urlsplit(text)
        host, _port = parts.hostname, parts.port
    except ValueError as error:
        raise AddressError(f"'{text}' is not an address: {error}") from None
    if parts.scheme not in ("http", "https") or not host or not text.isascii() or " " in text:
        raise AddressError(f"'{text}' is not an address such as http://clock.club.lan:8080/")
    if parts.query or parts.fragment or parts.username is not None:
        raise AddressError(f"'{text}' has more than a name, a port and a path")
    return text.rstrip("/") + "/"


def phones_address(given: str | None, host: str, port: int, own: str | None) -> PhonesAddress:
    """The address of the page for phones, or the reason why there is none.

    `given` is `[web] address`, `host` what the pages are bound to, `own` this machine's address
    in its network.
    """
    if given is not None:
        base = base_of(given)
        if _is_loopback(urlsplit(base).hostname or ""):
            reason = f'[web] address = "{given}" is this machine only: no phone can reach it'
            return PhonesAddress(reason=reason, why="address")
        return PhonesAddress(base + PAGE)
    if _is_loopback(host):
        return PhonesAddress(
            reason=f'the pages are for this machine only: [web] host = "{host}"; '
            '"0.0.0.0" opens them to the network',
            why="host",
        )
    found = own if _is_any(host) else host
    if found is None:
        return PhonesAddress(reason="this machine is not on a network", why="network")
    named = f"[{found}]" if ":" in found else found
    return PhonesAddress(f"http://{named}{'' if port == 80 else f':{port}'}/{PAGE}")


def for_phones(asked: str, phones: PhonesAddress) -> str:
    """The address that a browser has asked for, as a phone in the room would have to; empty where
    none can. A browser on this machine may have asked by an address that is this machine's own."""
    parts = urlsplit(asked)
    if not _is_loopback(parts.hostname or ""):
        return asked
    if not phones.address:
        return ""
    base = urlsplit(phones.address.removesuffix(PAGE))
    rest = f"{parts.path[1:]}{f'?{parts.query}' if parts.query else ''}"
    if parts.scheme == base.scheme:
        return f"{base.geturl()}{rest}"
    name = f"[{base.hostname}]" if ":" in (base.hostname or "") else base.hostname
    return f"{parts.scheme}://{name}{f':{parts.port}' if parts.port else ''}/{rest}"


def finder(
    given: str | None,
    host: str,
    port: int,
    look: Callable[[], str | None] | None = None,
    seconds: Callable[[], float] = time.monotonic,
) -> Callable[[], PhonesAddress]:
    """`phones_address` at any time: a machine may come into its network late, or into another."""
    look = look or own_address
    known: tuple[float, PhonesAddress] | None = None

    def find() -> PhonesAddress:
        nonlocal known
        now = seconds()
        if known is None or now - known[0] >= LOOK_AGAIN_S:
            known = now, phones_address(given, host, port, look())
        return known[1]

    return find


def own_address() -> str | None:
    """This machine's IPv4 address in its network: the one it would be reached from far away by,
    else the first that is not its own loop's. None where it is in no network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        with suppress(OSError):
            probe.connect(_FAR_AWAY)
            return str(probe.getsockname()[0])
        for name in interfaces():
            with suppress(OSError):
                asked = struct.pack("256s", name.encode()[:15])
                answer = fcntl.ioctl(probe.fileno(), _SIOCGIFADDR, asked)
                address = socket.inet_ntoa(answer[20:24])
                if not _is_loopback(address):
                    return address
    return None


def interfaces() -> list[str]:
    """The names of this machine's. Not by `socket.if_nameindex`, which needs what our units may not
    have (AF_NETLINK)."""
    try:
        return sorted(each.name for each in _INTERFACES.iterdir())
    except OSError:
        return []


@lru_cache(maxsize=4)
def _is_loopback(host: str) -> bool:
    if host.lower().rpartition(".")[2] == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def _is_any(host: str) -> bool:
    try:
        return ip_address(host).is_unspecified
    except ValueError:
        return False
