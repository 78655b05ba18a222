"""Polling a FEIG reader. Which manuals are meant is told in `codec`, which readers in `models`."""

from __future__ import annotations

from collections.abc import Generator

from firmware_bridge.decode.stream import Splitter
from firmware_bridge.readers.feig.codec import (
    BROADCAST,
    FUNCTION_UNIT,
    INVENTORY,
    ISO_HOST,
    MORE,
    MORE_DATA,
    NO_TRANSPONDER,
    OK,
    RF_RESET,
    SOFTWARE_VERSION,
    STATUS,
    UNIT_SAYS,
    Frame,
    Tag,
    encode,
    is_plausible,
    scan,
    select_channel,
    tags,
)
from firmware_bridge.readers.feig.models import model
from firmware_bridge.readers.poller import Ask, Pause, Poller, Talk

REFUSALS = (0x11, 0x13, 0x80, 0x81, 0x82)
"""Asking again won't help: somebody has to set the reader, or the table, up otherwise."""

ANSWER_WITHIN_S = 0.5
GAP_S = 0.005
"""The least time between two exchanges (H20800, 3)."""
MAX_PAGES = 16
FORMS = 2
"""In which the multiplexer may want to be asked (see `codec.select_channel`)."""
UHF = "it is a UHF reader, which reads across several seats: cards want an HF reader"


class Feig(Poller[Frame]):
    """Polls one reader; several antennas hang on a multiplexer, and it reads one after the other.

    Which of two forms the multiplexer takes is tried until one is answered with OK. With one
    antenna there is no multiplexer, and none is asked for.

    The reader must not be set to report new transponders only (ONT, H20800, 7.1.1).
    """

    family = "FEIG OBID"
    step_s = 0.01

    def __init__(self, now: float, zones: int = 1, address: int = BROADCAST) -> None:
        """`address` is the reader's on its bus."""
        self._address = address
        self._form = 0
        self._form_is_known = False
        self._unfit = ""
        super().__init__(now, Splitter(scan), zones)

    def _talk(self) -> Talk[Frame]:
        version = None
        while version is None or version.payload[0] != OK:
            # Wakes what an earlier host has muted. Not every reader has it.
            yield from self._exchange(RF_RESET)
            version = yield from self._exchange(SOFTWARE_VERSION)
        kind = model(version.payload)
        words = (self.family, kind.name if kind else "", version.payload[1:3].hex(".").upper())
        self._up(" ".join(filter(None, words)))
        self._unfit = UHF if kind is not None and kind.is_uhf else ""
        while True:
            for antenna in range(self._zones):
                yield from self._inventory(antenna)

    def _inventory(self, antenna: int) -> Generator[Ask[Frame] | Pause, Frame | None, None]:
        if self._zones > 1 and not (yield from self._select(antenna)):
            self._failed(antenna)
            return
        found: list[Tag] = []
        more = 0
        for _ in range(MAX_PAGES):
            reply = yield from self._exchange(ISO_HOST, bytes((INVENTORY, more)))
            status = -1 if reply is None else reply.payload[0]
            page = None if reply is None else tags(reply.payload[1:])
            self.trouble = self._unfit
            if status in REFUSALS:
                self.trouble = f"the reader refuses an inventory: {STATUS[status]}"
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

    def _select(self, antenna: int) -> Generator[Ask[Frame] | Pause, Frame | None, bool]:
        """Connect this antenna; False if the multiplexer does not say that it has."""
        reply = yield from self._exchange(FUNCTION_UNIT, select_channel(antenna + 1, self._form))
        if reply is not None and not any(reply.payload):
            self._form_is_known = True
            return True
        if self._form_is_known or self._form == FORMS - 1:
            said = "no answer"
            if reply is not None:
                status = next(filter(None, reply.payload))
                said = STATUS.get(status, f"status {status:02X}")
            self.trouble = f"no antenna multiplexer lets itself be switched: {said}"
        if not self._form_is_known:
            self._form = (self._form + 1) % FORMS
        return False

    def _exchange(
        self, command: int, payload: bytes = b""
    ) -> Generator[Ask[Frame] | Pause, Frame | None, Frame | None]:
        reply = yield Ask(
            encode(Frame(self._address, command, payload)),
            ANSWER_WITHIN_S,
            lambda frame: (
                frame.command in {command, UNIT_SAYS if command == FUNCTION_UNIT else command}
                and bool(frame.payload)
                and frame.address != BROADCAST  # our own question, from a line that echoes
                and self._address in {BROADCAST, frame.address}
            ),
        )
        yield Pause(GAP_S)
        return reply
