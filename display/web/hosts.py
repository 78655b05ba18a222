"""Under which names browsers may find this machine.

A page from elsewhere whose name is made to lead here (DNS rebinding) would be the room's own page
to a browser. It needs a name for that: an address can't be made to lead elsewhere.
"""

from __future__ import annotations

import ipaddress
import re
import socket
from collections.abc import Iterable

_PORT = re.compile(r":\d{0,5}$")


def machine_names() -> tuple[str, ...]:
    """The names that this machine has for itself, and for others by multicast DNS."""
    name = socket.gethostname().lower().rstrip(".")
    short = name.partition(".")[0]
    return tuple(dict.fromkeys((name, short, f"{short}.local"))) if short else ()


class Hosts:
    """The names that count."""

    def __init__(self, names: Iterable[str]) -> None:
        self._names = {"localhost", *(each.lower().rstrip(".") for each in names)}

    def know(self, host: str) -> bool:
        """Whether a `Host` header names this machine."""
        name = _PORT.sub("", host).lower().rstrip(".")
        return name in self._names or _is_address(name)


def _is_address(name: str) -> bool:
    literal = name[1:-1] if name.startswith("[") and name.endswith("]") else name
    try:
        address = ipaddress.ip_address(literal)
    except ValueError:
        return False
    return (address.version == 6) == name.startswith("[")
