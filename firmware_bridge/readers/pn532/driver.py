"""Polling a PN532. "UM" is its user manual (UM0701-02)."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Generator

from firmware_bridge.decode.stream import Splitter
from firmware_bridge.readers.pn532.codec import (
    ACK,
    GET_FIRMWARE_VERSION,
    IN_LIST_PASSIVE_TARGET,
    MAX_TARGETS,
    RF_CONFIGURATION,
    SAM_CONFIGURATION,
    WAKE_UP,
    Frame,
    Kind,
    encode,
    firmware_version,
    scan,
    targets,
)
from firmware_bridge.readers.poller import Ask, Pause, Poller, Talk
from firmware_bridge.readers.uids import is_mangled

REMEMBERED = 3
"""Lists in which a tag that is missing now still speaks for more tags than fit one list."""
REPLY_WITHIN_S = 0.4
"""Data sheet: listing takes more than 30 ms; some modules need over 100 ms."""
REST_S = 0.03
"""Between two readings, with the field off."""


class Pn532(Poller[Frame]):
    """Polls one PN532.

    Each reading begins with the field off, so that every tag starts unselected: a tag that was
    listed before would answer every second time only. Two tags are all that the chip can list,
    so where two are listed and another was a moment ago, there may be three, and the scan is
    not complete.
    """

    family = "PN532"

    def __init__(self, now: float, zones: int = 1) -> None:
        self._lists: deque[frozenset[str]] = deque(maxlen=REMEMBERED)
        super().__init__(now, Splitter(scan), zones)

    def _talk(self) -> Talk[Frame]:
        while True:
            if (yield from self._begin()):
                while (yield from self._read()):
                    yield Pause(REST_S)
            yield Pause(REST_S)

    def _begin(self) -> Generator[Ask[Frame] | Pause, Frame | None, bool]:
        self._send(WAKE_UP)
        # Normal mode without timeout and IRQ (UM 7.2.10).
        if (yield from self._command(SAM_CONFIGURATION, b"\x01\x00\x00")) is None:
            return False
        answer = yield from self._command(GET_FIRMWARE_VERSION)
        version = answer and firmware_version(answer)
        # Without a limit the chip waits for a tag for ever (UM 7.3.1, item 5).
        limits = yield from self._command(RF_CONFIGURATION, b"\x05\xff\x01\x02")
        if not version or limits is None:
            return False
        self._up(f"PN532 {version.version}.{version.revision}")
        return True

    def _read(self) -> Generator[Ask[Frame] | Pause, Frame | None, bool]:
        """One scan; False if the chip has to be woken again."""
        answer = yield from self._command(IN_LIST_PASSIVE_TARGET, bytes((MAX_TARGETS, 0)))
        found = None if answer is None else targets(answer)
        if found is None:
            self._failed(0)
        else:
            tags = [t.uid for t in found if not is_mangled(bytes.fromhex(t.uid))]
            self._mangled(len(found) - len(tags))
            self._scanned(0, tags, complete=len(tags) == len(found) and not self._is_crowded(tags))
        # Item 1: field off (UM 7.3.1). Listing turns it on again.
        off = yield from self._command(RF_CONFIGURATION, b"\x01\x00")
        return answer is not None and off is not None

    def _is_crowded(self, tags: Collection[str]) -> bool:
        """Whether there may be more tags than these."""
        before = frozenset[str]().union(*self._lists)
        self._lists.append(frozenset(tags))
        return len(tags) == MAX_TARGETS and not before <= set(tags)

    def _command(
        self, code: int, data: bytes = b""
    ) -> Generator[Ask[Frame] | Pause, Frame | None, bytes | None]:
        """Return the data of the response; None if there was none."""
        answer = yield Ask(
            encode(code, data),
            REPLY_WITHIN_S,
            lambda frame: (
                frame.kind is Kind.ERROR or (frame.kind is Kind.RESPONSE and frame.code == code + 1)
            ),
        )
        if answer is None:
            self._send(ACK)
        return answer.data if answer is not None and answer.kind is Kind.RESPONSE else None

    def _unasked(self, frame: Frame) -> None:
        if frame.kind is not Kind.ACK:
            super()._unasked(frame)
