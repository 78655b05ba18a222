"""A FEIG OBID HF reader made of software, sans-I/O, after its manuals (H20800, H60301), with an
antenna multiplexer (H30701, 2.2.3) if it has several antennas.

Its answers hold a few transponders only, so that the host has to ask for more. An inventory's mode
has no bit but MORE (H60301, 6.1.1). It shares no code with the host's side.
"""

from __future__ import annotations

from math import inf

ANSWERING_S = 0.02
SILENCE_S = 0.012
"""What is half received is dropped after so long (H20800, 3: the most between two bytes)."""
A_PAGE = 3
"""Transponders in one answer."""


def _checked(body: bytes) -> bytes:
    crc = 0xFFFF
    for byte in body:
        crc ^= byte
        for _ in range(8):
            crc = (crc >> 1) ^ (0x8408 if crc & 1 else 0)
    return body + bytes([crc & 0xFF, crc >> 8])


class VirtualFeig:
    """One reader with the tags before each of its antennas, by their UIDs in hex.

    `tags[n]` is before antenna n + 1. `trouble` is a status that inventories end with, `kind` the
    type of reader it says it is. Whether FE comes before the multiplexer's address or behind it,
    H30701 does not tell: `fe_first`.
    """

    def __init__(self, antennas: int = 1, address: int = 0, *, fe_first: bool = True) -> None:
        self.tags: list[list[str]] = [[] for _ in range(antennas)]
        self.mute = False
        self.trouble: int | None = None
        self.inventories = 0
        self.kind = 0x41
        self._fe_first = fe_first
        self._channel = 0
        self._address = address
        self._input = b""
        self._heard = -inf
        self._pages: list[str] = []
        self._out: list[tuple[float, bytes]] = []

    def receive(self, data: bytes, now: float) -> None:
        """Take in bytes from the host."""
        if data and now - self._heard > SILENCE_S:
            self._input = b""
        if data:
            self._heard = now
        self._input += data
        while self._input and len(self._input) >= self._input[0]:
            size = max(self._input[0], 1)
            frame, self._input = self._input[:size], self._input[size:]
            if size >= 5 and _checked(frame[:-2]) == frame and frame[1] in {255, self._address}:
                self._command(frame[2], frame[3:-2], now)

    def poll(self, now: float) -> bytes:
        """Return the bytes that are due."""
        due = b"".join(data for t, data in self._out if t <= now)
        self._out = [(t, data) for t, data in self._out if t > now]
        return b"" if self.mute else due

    def next_due(self) -> float:
        """When `poll` has to be called next, at the latest."""
        return min((t for t, _ in self._out), default=inf)

    def _answer(self, command: int, status: int, data: bytes, now: float) -> None:
        body = bytes([self._address, command, status]) + data
        self._out.append((now + ANSWERING_S, _checked(bytes([len(body) + 3]) + body)))

    def _command(self, command: int, data: bytes, now: float) -> None:
        match command:
            case 0x65:
                version = bytes.fromhex("0402 00 25") + bytes([self.kind])
                self._answer(command, 0, version + bytes.fromhex("0003 00FF"), now)
            case 0x02 if len(self.tags) > 1 and data[:1] == b"\xdd" and len(data) == 5:
                self._answer(command, self._switched(data[1:]), b"", now)
            case 0x69:
                self._answer(command, 0, b"", now)
            case 0xB0 if data[:1] == b"\x01":
                self._inventory(data[1:], now)
            case _:
                self._answer(command, 0x80, b"", now)

    def _switched(self, data: bytes) -> int:
        """The status of a multiplexer at address 0 whose first input the reader is connected to."""
        if data[:2] != (b"\xfe\x00" if self._fe_first else b"\x00\xfe"):
            return 0x80
        if max(data[2:]) > 8 or data[2] == data[3]:
            return 0x11
        self._channel = data[2]
        return 0

    def _inventory(self, data: bytes, now: float) -> None:
        mode = data[0]
        if mode & 0x7F or len(data) > 1:
            self._answer(0xB0, 0x11, b"", now)
            return
        if self.trouble is not None:
            self._answer(0xB0, self.trouble, b"", now)
            return
        if not mode & 0x80:
            self.inventories += 1
            at = self._channel if len(self.tags) > 1 else 1
            self._pages = list(self.tags[at - 1]) if 0 < at <= len(self.tags) else []
        page, self._pages = self._pages[:A_PAGE], self._pages[A_PAGE:]
        if not page:
            self._answer(0xB0, 0x01, b"", now)
            return
        out = bytes([len(page)])
        for tag in page:
            out += bytes([0x03, 0x00]) + bytes.fromhex(tag)
        self._answer(0xB0, 0x94 if self._pages else 0x00, out, now)
