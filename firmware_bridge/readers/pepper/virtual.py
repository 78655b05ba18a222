"""A Pepper C1 MUX made of software, sans-I/O, after Eccel's documents (see `codec` for which).

It shares no code with the host's side. What the documents do not tell is assumed as unkindly as
they allow: it reads on its own until it is told to stop and refuses all else meanwhile, is deaf
for a second after power comes, forgets an inventory when another antenna is chosen or its field
goes off, and finds the same tags in another order each time.
"""

from __future__ import annotations

from math import inf

STARTING_S = 1.0
"""A reader that restarts takes no command for a second (sibling, 3.1.10)."""
ANSWERING_S = 0.002
INVENTORY_S = 0.018
"""16 slots at 26 kbit/s with no collision, and the field coming on (ISO/IEC 15693-3; estimate)."""
TAG_S = 0.006
EVENT_S = 0.3

_DONE, _EVENT, _ERROR = 0x00, 0xFE, 0xFF
_RF_LAYER = 0x02


def _frame(payload: bytes) -> bytes:
    crc = 0xFFFF
    for byte in payload:
        crc ^= byte << 8
        for _ in range(8):
            crc = (crc << 1 ^ 0x1021) & 0xFFFF if crc & 0x8000 else crc << 1
    size = len(payload) + 2
    head = bytes([0xF5, size & 255, size >> 8, size & 255 ^ 255, size >> 8 ^ 255])
    return head + payload + bytes([crc & 255, crc >> 8])


class VirtualPepper:
    """One reader with the tags before each of its antennas, by their UIDs in hex.

    `tags[n]` is before antenna n + 1; with one antenna it can choose none. `trouble` is an
    error's number that each inventory ends with. `lit` is the antenna whose field is on.
    """

    def __init__(self, antennas: int = 8) -> None:
        self.tags: list[list[str]] = [[] for _ in range(antennas)]
        self.mute = False
        self.trouble: int | None = None
        self.inventories = 0
        self.lit: int | None = None
        self._turn = 0
        self.power_on(-inf)

    def power_on(self, now: float) -> None:
        """Begin as after a power cut."""
        self.lit = None
        self._ready = now + STARTING_S
        self._busy = now
        self._alone = True
        self._event = self._ready
        self._antenna = 0
        self._input = b""
        self._left: list[str] = []
        self._out: list[tuple[float, bytes]] = []

    def receive(self, data: bytes, now: float) -> None:
        """Take in bytes from the host."""
        if now < self._ready:
            return
        self._input += data
        while (start := self._input.find(b"\xf5")) >= 0:
            rest = self._input[start:]
            size = rest[1] | rest[2] << 8 if len(rest) > 2 else 0
            if len(rest) < 5 or len(rest) < size + 5:
                self._input = rest
                return
            frame, payload = rest[: size + 5], rest[5 : size + 3]
            if _frame(payload) != frame or not payload:
                self._input = rest[1:]
                continue
            self._input = rest[size + 5 :]
            self._command(payload[0], payload[1:], now)
        self._input = b""

    def poll(self, now: float) -> bytes:
        """Return the bytes that are due."""
        if self._alone and now >= max(self._event, self._ready):
            self._event = now + EVENT_S
            lying = self.tags[self._antenna][:1]
            if lying:
                self._out.append((now, _frame(bytes([_EVENT]) + bytes.fromhex(lying[0]))))
        due = b"".join(data for t, data in self._out if t <= now)
        self._out = [(t, data) for t, data in self._out if t > now]
        return b"" if self.mute else due

    def next_due(self) -> float:
        """When `poll` has to be called next, at the latest."""
        return min([t for t, _ in self._out] + [self._event if self._alone else inf])

    def _done(self, command: int, data: bytes, t: float) -> None:
        self._busy = t
        self._out.append((t, _frame(bytes([_DONE, command]) + data)))

    def _fails(self, command: int, number: int, t: float) -> None:
        self._busy = t
        self._out.append((t, _frame(bytes([_ERROR, command, _RF_LAYER, number]))))

    def _command(self, command: int, data: bytes, now: float) -> None:
        now = max(now, self._busy)  # one after the other
        soon = now + ANSWERING_S
        match command:
            case 0x01:
                self._done(command, b"", soon)
            case 0x06 if len(data) == 1:
                self._alone = bool(data[0])
                self._event = now + EVENT_S
                self._done(command, b"", soon)
            case 0x0B:
                self._done(command, b"2.56 Jan 18 2019 15:35:03", soon)
            case _ if self._alone:
                self._fails(command, 0x25, soon)
            case 0x05:
                self._off()
                self._done(command, b"", soon)
            case 0x0F:
                self._choose(command, data, soon)
            case 0x90 | 0x91 if len(data) == 1:
                self._inventory(command, now)
            case _:
                self._fails(command, 0x24, soon)

    def _off(self) -> None:
        self.lit = None
        self._left = []

    def _choose(self, command: int, data: bytes, soon: float) -> None:
        if len(self.tags) == 1:
            self._fails(command, 0x24, soon)
        elif len(data) != 1 or not 1 <= data[0] <= len(self.tags):
            self._fails(command, 0x21, soon)
        else:
            self._off()
            self._antenna = data[0] - 1
            self._done(command, b"", soon)

    def _inventory(self, command: int, now: float) -> None:
        if command == 0x90:
            self.inventories += 1
            self.lit = self._antenna
            lying = self.tags[self._antenna]
            self._turn += 1
            first = self._turn % len(lying) if lying else 0
            self._left = [tag for tag in lying[first:] + lying[:first] if tag.startswith("E0")]
        then = now + (INVENTORY_S if command == 0x90 else TAG_S)
        if self.trouble is not None:
            self._fails(command, self.trouble, then)
        elif not self._left:
            self._fails(command, 0x01, then)
        else:
            tag = self._left.pop(0)
            more = bool(self._left)
            self._done(command, bytes.fromhex(tag)[::-1] + bytes([0, more]), then)
