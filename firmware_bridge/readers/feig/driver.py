"""Polling a FEIG reader. "H20800" is its system manual."""

from __future__ import annotations

from collections.abc import Generator

from firmware_bridge.decode.stream import Splitter
from firmware_bridge.readers.feig.codec import (
    ANT,
    BROADCAST,
    INVENTORY,
    ISO_HOST,
    MORE,
    MORE_DATA,
    NO_TRANSPONDER,
    OK,
    RF_RESET,
    SOFTWARE_VERSION,
    STATUS,
    Frame,
    Tag,
    encode,
    is_plausible,
    scan,
    tags,
)
from firmware_bridge.readers.poller import Ask, Pause, Poller, Talk

REFUSALS = (0x11, 0x13, 0x80, 0x81, 0x82)
"""Asking again won't help: somebody has to set the reader, or the table, up otherwise."""

ANSWER_WITHIN_S = 0.5
GAP_S = 0.005
"""The least time between two exchanges (H20800, 3)."""
MAX_PAGES = 16


class Feig(Poller[Frame]):
    """Polls one reader, antenna by antenna; with one antenna by a plain inventory.

    The reader must not be set to report new transponders only (ONT, H20800, 7.1.1).
    """

    family = "FEIG OBID"
    step_s = 0.01

    def __init__(self, now: float, zones: int = 1, address: int = BROADCAST) -> None:
        """`address` is the reader's on its bus."""
        self._address = address
        super().__init__(now, Splitter(scan), zones)

    def _talk(self) -> Talk[Frame]:
        version = None
        while version is None or version.payload[0] != OK:
            # Wakes what an earlier host has muted. Not every reader has it.
            yield from self._exchange(RF_RESET)
            version = yield from self._exchange(SOFTWARE_VERSION)
        self._up(f"{self.family} {version.payload[1:3].hex('.').upper()}".strip())
        while True:
            for antenna in range(self._zones):
                yield from self._inventory(antenna)

    def _inventory(self, antenna: int) -> Generator[Ask[Frame] | Pause, Frame | None, None]:
        by_antenna = self._zones > 1
        mode = ANT if by_antenna else 0
        select = bytes((1 << antenna,)) if by_antenna else b""
        found: list[Tag] = []
        more = 0
        for _ in range(MAX_PAGES):
            reply = yield from self._exchange(ISO_HOST, bytes((INVENTORY, mode | more)) + select)
            status = -1 if reply is None else reply.payload[0]
            page = None if reply is None else tags(reply.payload[1:], by_antenna=by_antenna)
            self.trouble = ""
            if status in REFUSALS:
                asked = "an inventory by antenna" if by_antenna else "an inventory"
                self.trouble = f"the reader refuses {asked}: {STATUS[status]}"
            if status not in {OK, NO_TRANSPONDER, MORE_DATA} or page is None:
                self._failed(antenna)
                return
            found += page
            more = MORE
            if status != MORE_DATA:
                break
        real = [tag.uid for tag in found if is_plausible(tag)]
        self._mangled(len(found) - len(real))
        complete = status != MORE_DATA and len(real) == len(found)
        self._scanned(antenna, real, complete=complete)

    def _exchange(
        self, command: int, payload: bytes = b""
    ) -> Generator[Ask[Frame] | Pause, Frame | None, Frame | None]:
        reply = yield Ask(
            encode(Frame(self._address, command, payload)),
            ANSWER_WITHIN_S,
            lambda frame: (
                frame.command == command
                and bool(frame.payload)
                and frame.address != BROADCAST  # our own question, from a line that echoes
                and self._address in {BROADCAST, frame.address}
            ),
        )
        yield Pause(GAP_S)
        return reply
