"""In which order acknowledgements of what came in may leave (MQTT 5, 4.6.0-2)."""

from __future__ import annotations

from collections import OrderedDict


class Receipts:
    """The messages of one connection that wait for their acknowledgement, oldest first."""

    def __init__(self) -> None:
        self._settled: OrderedDict[int, bool] = OrderedDict()

    def came(self, mid: int) -> None:
        """A message with this packet identifier has come in."""
        self._settled[mid] = False

    def settle(self, mid: int) -> list[int]:
        """The message is where it belongs. Returns what is to be acknowledged now, in order: all
        that is settled before the first message that is not. An unknown identifier is nothing."""
        if mid in self._settled:
            self._settled[mid] = True
        ready = []
        while self._settled and self._settled[oldest := next(iter(self._settled))]:
            del self._settled[oldest]
            ready.append(oldest)
        return ready
