"""A PN532 made of software, sans-I/O, after its user manual (UM0701-02).

It has the chip's bad habits: it sleeps until it is woken, lists two tags at most, waits for a tag
for ever unless told otherwise, and a tag that it has listed is not found again before the
field was off. It shares no code with the host's side.
"""

from __future__ import annotations

from math import ceil, inf

WAKING_S = 0.002
BYTE_S = 10 / 115200
LISTING_S = 0.035
ANSWERING_S = 0.002
_FOR_EVER = 0xFF


def _frame(content: bytes) -> bytes:
    total = sum(content) % 256
    return (
        bytes([0, 0, 0xFF, len(content), (256 - len(content)) % 256])
        + content
        + bytes([(256 - total) % 256, 0])
    )


class VirtualPn532:
    """One chip with the tags in its field, by their UIDs in hex. `tags` may be changed at will."""

    def __init__(self) -> None:
        self.tags: list[str] = []
        self.mute = False
        self.power_on()

    def power_on(self) -> None:
        """Begin as after a power cut."""
        self._hears_at = inf
        self._retries = _FOR_EVER
        self._selected: set[str] = set()
        self._input = b""
        self._out: list[tuple[float, bytes]] = []
        self._listing_since: float | None = None

    def receive(self, data: bytes, now: float) -> None:
        """Take in bytes from the host."""
        if self._hears_at == inf and b"\x55" in data:
            self._hears_at = now + (data.index(b"\x55") + 1) * BYTE_S + WAKING_S
        if now < self._hears_at:
            data = data[ceil((self._hears_at - now) / BYTE_S) :] if self._hears_at < inf else b""
        self._input += data
        while True:
            start = self._input.find(b"\x00\x00\xff")
            if start < 0 or len(self._input) < start + 6:
                return
            size, check = self._input[start + 3], self._input[start + 4]
            if (size, check) == (0, 0xFF):
                # The host's ACK: whatever is being done is given up.
                self._out.clear()
                self._listing_since = None
                self._input = self._input[start + 6 :]
                continue
            if len(self._input) < start + size + 7:
                return
            content = self._input[start + 5 : start + 5 + size]
            self._input = self._input[start + size + 7 :]
            if content[:1] == b"\xd4":
                self._out.append((now, bytes.fromhex("0000FF00FF00")))
                self._command(content[1], content[2:], now)

    def poll(self, now: float) -> bytes:
        """Return the bytes that are due."""
        if self._listing_since is not None and now - self._listing_since >= LISTING_S:
            fresh = [tag for tag in self.tags if tag not in self._selected][:2]
            if fresh or self._retries != _FOR_EVER:
                self._listing_since = None
                self._selected.update(fresh)
                self._answer(0x4A, self._targets(fresh), now)
        due = b"".join(data for t, data in self._out if t <= now)
        self._out = [(t, data) for t, data in self._out if t > now]
        return b"" if self.mute else due

    def next_due(self) -> float:
        """When `poll` has to be called next, at the latest."""
        listing = inf if self._listing_since is None else self._listing_since + LISTING_S
        return min([t for t, _ in self._out] + [listing])

    def _answer(self, command: int, data: bytes, t: float) -> None:
        self._out.append((t, _frame(bytes([0xD5, command + 1]) + data)))

    def _command(self, command: int, data: bytes, now: float) -> None:
        self._listing_since = None
        soon = now + ANSWERING_S
        match command:
            case 0x02:
                self._answer(command, bytes([0x32, 1, 6, 7]), soon)
            case 0x14:
                self._answer(command, b"", soon)
            case 0x32:
                if data[0] == 5:
                    self._retries = data[3]
                if data[0] == 1 and not data[1] & 1:
                    self._selected.clear()
                self._answer(command, b"", soon)
            case 0x4A:
                self._listing_since = now
            case _:
                self._out.append((soon, bytes.fromhex("0000FF01FF7F8100")))

    @staticmethod
    def _targets(tags: list[str]) -> bytes:
        out = bytes([len(tags)])
        for number, tag in enumerate(tags, 1):
            uid = bytes.fromhex(tag)
            sens, sel = (0x0004, 0x08) if len(uid) == 4 else (0x0044, 0x00)
            out += bytes([number, sens >> 8, sens & 0xFF, sel, len(uid)]) + uid
        return out
