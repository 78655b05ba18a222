"""A YRM100 made of software, sans-I/O, after the M100 protocol manual.

Its version reply has the wrong checksum that the manual prints. It shares no code with the host.
"""

from __future__ import annotations

from math import inf

READING_S = 0.01


def _crc(data: bytes) -> bytes:
    crc = 0xFFFF
    for byte in data:
        crc ^= byte << 8
        for _ in range(8):
            crc = (crc << 1 ^ 0x1021 if crc & 0x8000 else crc << 1) & 0xFFFF
    return (crc ^ 0xFFFF).to_bytes(2, "big")


class VirtualYrm100:
    """One module with the tags in its field, by their EPCs in hex. `bad_reads`: garbled in the
    air."""

    def __init__(self) -> None:
        self.tags: list[str] = []
        self.mute = False
        self.bad_reads = False
        self._input = b""
        self._out: list[tuple[float, bytes]] = []

    def receive(self, data: bytes, now: float) -> None:
        """Take in bytes from the host."""
        self._input += data
        while len(self._input) >= 7:
            size = 7 + self._input[4]
            frame, self._input = self._input[:size], self._input[size:]
            if frame[2] == 0x03:
                self._send(now, 0x01, 0x03, b"\x00M100 26dBm V1.0", wrong=1)
            elif frame[2] == 0x22 and not self.tags:
                self._send(now, 0x01, 0xFF, b"\x15")
            elif frame[2] == 0x22:
                for tag in self.tags:
                    epc = bytes.fromhex(tag)
                    read = bytes([len(epc) // 2 << 3, 0]) + epc
                    crc = _crc(read)
                    if self.bad_reads:
                        read = read[:-1] + bytes([read[-1] ^ 0x10])
                    self._send(now, 0x02, 0x22, b"\xc8" + read + crc)

    def poll(self, now: float) -> bytes:
        """Return the bytes that are due."""
        due = b"".join(data for t, data in self._out if t <= now)
        self._out = [(t, data) for t, data in self._out if t > now]
        return b"" if self.mute else due

    def next_due(self) -> float:
        """When `poll` has to be called next, at the latest."""
        return min((t for t, _ in self._out), default=inf)

    def _send(self, now: float, kind: int, command: int, data: bytes, *, wrong: int = 0) -> None:
        body = bytes([kind, command, len(data) >> 8, len(data) & 0xFF]) + data
        frame = b"\xbb" + body + bytes([(sum(body) + wrong) % 256, 0x7E])
        self._out.append((now + READING_S, frame))
