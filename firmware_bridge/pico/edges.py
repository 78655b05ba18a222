"""Button edges until the host has them: numbered from 1, kept in a ring, sent again."""

from micropython import const

RING = const(32)
AGAIN_US = const(200000)
KEPT_US = const(60000000)


class Edges:
    """`send(number, oldest, t, button, pressed)` puts one edge on the wire."""

    def __init__(self, send):
        self.lost = 0
        self._send = send
        self._next = 1
        self._ring = []
        self._due = 0

    def next_edge(self):
        """Return the number of the oldest edge without a receipt, or of the next one."""
        return self._ring[0][0] if self._ring else self._next

    def add(self, t, button, pressed, now):
        """An edge of a button happened at `t`: keep and send it."""
        if len(self._ring) == RING:
            self._ring.pop(0)
            self.lost += 1
        if not self._ring:
            self._due = now + AGAIN_US
        edge = (self._next, t, button, pressed)
        self._next += 1
        self._ring.append(edge)
        self._put(edge)

    def receipt(self, next_edge):
        """The host has all edges before this number."""
        while self._ring and self._ring[0][0] < next_edge:
            self._ring.pop(0)

    def step(self, now):
        """Drop what is too old, send again what is due."""
        while self._ring and now - self._ring[0][1] > KEPT_US:
            self._ring.pop(0)
            self.lost += 1
        if self._ring and now >= self._due:
            self._due = now + AGAIN_US
            for edge in self._ring:
                self._put(edge)

    def _put(self, edge):
        self._send(edge[0], self._ring[0][0], edge[1], edge[2], edge[3])
