"""Polling a YRM100."""

from __future__ import annotations

from firmware_bridge.decode.stream import Splitter
from firmware_bridge.readers.poller import Ask, Pause, Poller, Talk
from firmware_bridge.readers.uids import is_mangled
from firmware_bridge.readers.yrm100.codec import (
    FAILED,
    NO_TAG,
    POLL,
    VERSION,
    Frame,
    Type,
    encode,
    read,
    scan,
)

ANSWER_WITHIN_S = 0.15
MORE_WITHIN_S = 0.03
POLLS_A_SCAN = 3
"""A tag that lies still answers most polls, not all."""


class Yrm100(Poller[Frame]):
    """Polls one module. A scan is what three polls read, since one poll ends without a sign.

    The module is known by any intact frame: the reply to the version query as the manual prints
    it has a wrong checksum, so nothing may depend on that one.
    """

    family = "YRM100"

    def __init__(self, now: float, zones: int = 1) -> None:
        self._tags: set[str] = set()
        self._bad = 0
        super().__init__(now, Splitter(scan), zones)

    def _talk(self) -> Talk[Frame]:
        version = yield Ask(
            encode(VERSION, b"\x00"), ANSWER_WITHIN_S, lambda frame: frame.command == VERSION
        )
        name = version.data[1:].decode("ascii", "replace") if version is not None else ""
        name = "".join(c for c in name[:32] if c.isprintable())
        while True:
            self._tags.clear()
            self._bad = answers = 0
            for _ in range(POLLS_A_SCAN):
                frame = yield Ask(
                    encode(POLL), ANSWER_WITHIN_S, lambda f: f.type is not Type.COMMAND
                )
                if frame is None:
                    continue
                answers += 1
                self._up(f"{self.family} {name}".strip())
                self._take(frame)
                yield Pause(MORE_WITHIN_S)
            if answers:
                self._scanned(0, self._tags, complete=not self._bad)
            else:
                self._failed(0)
                yield Pause(ANSWER_WITHIN_S)

    def _unasked(self, frame: Frame) -> None:
        self._take(frame)

    def _take(self, frame: Frame) -> None:
        if frame.type is Type.NOTICE and frame.command == POLL:
            found = read(frame.data)
            if found is None or not found.intact or is_mangled(bytes.fromhex(found.epc)):
                self._bad += 1
                self._mangled(1)
            else:
                self._tags.add(found.epc)
        elif frame.command != FAILED or frame.data[:1] != bytes((NO_TAG,)):
            self._counts["unexpected"] += 1
