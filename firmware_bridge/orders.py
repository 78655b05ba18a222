"""What a device is to do until it is told otherwise: its lamps and its scan cycle. Pure.

A device that reboots forgets them, so they are sent again; of two orders for one lamp only the
later one matters. At most one is under way, so a lamp that changes fast overruns no queue.
"""

from __future__ import annotations

from firmware_bridge.link.messages import Command, Lamp, SetScan
from firmware_bridge.link.values import Done

Order = SetScan | Lamp
_Key = int | None
"""The lamp's index, or None for the scan cycle."""


class Orders:
    """The orders for one device."""

    def __init__(self) -> None:
        self._wanted: dict[_Key, Order] = {}
        self._known: dict[_Key, Order] = {}
        self._under_way: Order | None = None

    def want(self, order: Order) -> None:
        """From now on this holds, whatever was wanted before."""
        self._wanted[_key(order)] = order

    def forgotten(self) -> None:
        """The device may have forgotten everything."""
        self._known.clear()
        self._under_way = None

    def next(self) -> Order | None:
        """Return the order to send now, if there is one; `answered` must follow."""
        if self._under_way is None:
            for key, order in self._wanted.items():
                if self._known.get(key) != order:
                    self._under_way = order
                    return order
        return None

    def answered(self, done: Done) -> None:
        """A command came to its end. What was refused is not sent again, what was lost is."""
        command: Command = done.command
        if self._under_way is None or command != self._under_way:
            return
        if done.outcome != "unanswered":
            self._known[_key(self._under_way)] = self._under_way
        self._under_way = None


def _key(order: Order) -> _Key:
    return order.lamp if isinstance(order, Lamp) else None
