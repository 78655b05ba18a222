"""Which names of this machine count when a browser asks by them.

A page from elsewhere whose name is made to lead here (DNS rebinding) would be the room's own page
to a browser. It needs a name for that: an address can't be made to lead elsewhere.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable

_PORT = re.compile(r":\d{0,5}$")


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
