"""The host's end of a simulated Pico's line: session and decoder, driven until something holds."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Self, TypeVar

import serial

from firmware_bridge.link.frames import Frame, FrameDecoder
from firmware_bridge.link.session import Session
from firmware_bridge.link.values import ButtonEdge, Up, Value, ZoneScan
from firmware_bridge.pico.sim.pico import SimulatedPico
from tests.waiting import PATIENCE_S

T = TypeVar("T")


class Line:
    """A serial line; `lose` is the share of frames that get lost or torn, each way."""

    def __init__(self, port: str, lose: float, seed: int) -> None:
        self._port = serial.Serial(port, timeout=0)
        self._lose = lose
        self._random = Random(seed)

    def close(self) -> None:
        self._port.close()

    def write(self, data: bytes) -> None:
        for frame in data.split(b"\0"):
            self._port.write(self._treat(frame) + b"\0")

    def read(self) -> bytes:
        data: bytes = self._port.read(65536)
        if not self._lose:
            return data
        return b"\0".join(self._treat(frame) for frame in data.split(b"\0"))

    def _treat(self, frame: bytes) -> bytes:
        if not frame or self._random.random() >= self._lose:
            return frame
        at = self._random.randrange(len(frame))
        match self._random.randrange(3):
            case 0:
                return b""
            case 1:
                return frame[:at]
            case _:
                return frame[:at] + bytes((frame[at] ^ 1 or 2,)) + frame[at + 1 :]


class Host:
    """Speaks with the Pico at `port`; all values of the session are kept in `values`."""

    def __init__(self, port: str, *, lose: float = 0.0, seed: int = 1) -> None:
        self.values: list[Value] = []
        self.frames: list[Frame] = []
        self.decoder = FrameDecoder()
        self.session = Session(time.monotonic())
        self.line = Line(port, lose, seed)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.line.close()

    def step(self) -> None:
        frames = self.decoder.feed(self.line.read())
        now = time.monotonic()
        self.frames += frames
        values = self.session.receive(frames, now)
        self.values += values
        for value in values:
            if isinstance(value, ButtonEdge):
                self.session.keep(value.number)
        out = self.session.poll(now)
        if out:
            self.line.write(out)
        time.sleep(0.002)

    def until(self, holds: Callable[[], object]) -> None:
        """Go on until it holds."""
        end = time.monotonic() + PATIENCE_S
        while not holds():
            assert time.monotonic() < end, f"not within {PATIENCE_S:.0f} s: {self.values[-5:]}"
            self.step()

    def during(self, seconds: float) -> None:
        """Go on for so long."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.step()

    def got(self, kind: type[T]) -> list[T]:
        """Return all values of a kind so far."""
        return [value for value in self.values if isinstance(value, kind)]

    def up(self) -> Up:
        """Wait for the link and return who it is."""
        self.until(lambda: self.got(Up))
        return self.got(Up)[-1]

    def scan(self, zone: int, holds: Callable[[ZoneScan], bool]) -> ZoneScan:
        """Wait for a new scan of a zone that is as wanted, and return it."""
        looked_at = len(self.values)
        found: list[ZoneScan] = []

        def is_found() -> bool:
            nonlocal looked_at
            new, looked_at = self.values[looked_at:], len(self.values)
            scans = (v for v in new if isinstance(v, ZoneScan) and v.zone == zone)
            found.extend(scan for scan in scans if holds(scan))
            return bool(found)

        self.until(is_found)
        return found[0]

    def sees(self, zone: int, *tags: str) -> ZoneScan:
        """Wait for a scan of a zone that read these tags and no others."""
        wanted = set(tags)
        return self.scan(zone, lambda s: not s.failed and set(s.tags) == wanted)


def until_said(line: serial.Serial, words: str) -> str:
    """Wait until the firmware has said so in plain text, and return all that it said."""
    said = b""
    end = time.monotonic() + PATIENCE_S
    while words.encode() not in said:
        assert time.monotonic() < end, said
        said += line.read(1000)
        time.sleep(0.01)
    return said.decode()


def flawless(pico: SimulatedPico) -> None:
    """Nothing happened that must not: crashes, neighbours energised together."""
    assert not pico.crashes
    assert not pico.air.violations


def edited(source: Path, target: Path, *changes: tuple[str, str]) -> Path:
    """Write a copy of a file with these changes, each of which has to be one."""
    text = source.read_text("utf-8")
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    target.write_text(text, "utf-8")
    return target
