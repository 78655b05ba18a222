"""A FEIG OBID HF reader made of software, sans-I/O, after its system manual (H20800).

Its answers hold a few transponders only, so that the host has to ask for more. It shares no code
with the host's side.
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

    `tags[n]` is before antenna n + 1. `trouble` is a status that inventories end with.
    """

    def __init__(self, antennas: int = 1, address: int = 0) -> None:
        self.tags: list[list[str]] = [[] for _ in range(antennas)]
        self.mute = False
        self.trouble: int | None = None
        self.inventories = 0
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
                self._answer(command, 0, bytes.fromhex("0402 00 25 41 0003 00FF"), now)
            case 0x69:
                self._answer(command, 0, b"", now)
            case 0xB0 if data[:1] == b"\x01":
                self._inventory(data[1:], now)
            case _:
                self._answer(command, 0x80, b"", now)

    def _inventory(self, data: bytes, now: float) -> None:
        mode, select = data[0], data[1:]
        if mode & 0x10 and len(self.tags) == 1:
            self._answer(0xB0, 0x11, b"", now)
            return
        if self.trouble is not None:
            self._answer(0xB0, self.trouble, b"", now)
            return
        if not mode & 0x80:
            self.inventories += 1
            antennas = range(8) if not select else [n for n in range(8) if select[0] >> n & 1]
            self._pages = [tag for n in antennas if n < len(self.tags) for tag in self.tags[n]]
        page, self._pages = self._pages[:A_PAGE], self._pages[A_PAGE:]
        if not page:
            self._answer(0xB0, 0x01, b"", now)
            return
        out = bytes([len(page)])
        for tag in page:
            uid = bytes.fromhex(tag)
            if mode & 0x10:
                antenna = next(n for n, there in enumerate(self.tags, 1) if tag in there)
                out += bytes([0x11, 0x03, 0x00, len(uid)]) + uid
                out += bytes([1, antenna, 0, 0x40, 0, 0, 0, 0])
            else:
                out += bytes([0x03, 0x00]) + uid
        self._answer(0xB0, 0x94 if self._pages else 0x00, out, now)
