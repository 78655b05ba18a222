"""When a zone is reported (PROTOCOL.md 2.2): the full set on change and every second."""

from micropython import const

BURST_US = const(1000000)
EVERY_US = const(1000000)
_NEVER = const(-1000000000)


class Zones:
    """`send(zone, flags, t, uids)` puts one full set on the wire."""

    def __init__(self, count, send):
        self._send = send
        self._last = [None] * count
        self._changed = [_NEVER] * count
        self._sent = [_NEVER] * count

    def __len__(self):
        return len(self._last)

    def all_again(self):
        """Report every zone at its next scan."""
        for zone in range(len(self._sent)):
            self._sent[zone] = _NEVER

    def scanned(self, zone, flags, t, uids):
        """A scan that began at `t` read `uids`; report it if that is due."""
        read = (flags, sorted(uids))
        if read != self._last[zone]:
            self._changed[zone] = t
        elif t - self._changed[zone] > BURST_US and t - self._sent[zone] < EVERY_US:
            return
        self._last[zone] = read
        self._sent[zone] = t
        self._send(zone, flags, t, read[1])
