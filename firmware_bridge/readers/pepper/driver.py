"""Polling a Pepper C1. What its sources are called is told in `codec`."""

from __future__ import annotations

from collections.abc import Generator

from firmware_bridge.decode.stream import Splitter
from firmware_bridge.readers.pepper.codec import (
    ALL_FAMILIES,
    ASYNC,
    GET_VERSION,
    HALT,
    INVENTORY_NEXT,
    INVENTORY_START,
    NO_REPLY,
    REFUSALS,
    SET_ANTENNA,
    SET_POLLING,
    Frame,
    Tag,
    answers,
    encode,
    failure,
    is_plausible,
    scan,
    tag,
    version,
)
from firmware_bridge.readers.poller import Ask, Pause, Poller, Talk

ANSWER_WITHIN_S = 0.5
"""As long as Eccel's own driver waits (C1 library, C1_Interface.cpp)."""
AGAIN_S = 0.2
"""Until it is asked anew who it is: it may be starting, which takes a second (sibling, 3.1.10)."""
MAX_TAGS = 60
"""More than a deck; if the reader says that there are more still, something is wrong."""

Exchange = Generator[Ask[Frame] | Pause, Frame | None, Frame | None]


class Pepper(Poller[Frame]):
    """Polls one reader, antenna by antenna; with one antenna it chooses none.

    Only one antenna's field is on at a time: each is turned off before the next one is chosen, so
    that every tag begins unpowered, and none is lit by two neighbours.
    """

    family = "Pepper C1"
    step_s = 0.01

    def __init__(self, now: float, zones: int = 1) -> None:
        self._reads_alone = False
        super().__init__(now, Splitter(scan), zones)

    def _talk(self) -> Talk[Frame]:
        antenna = 0
        while True:
            goes_on = yield from self._begin()
            while goes_on:
                goes_on = yield from self._read(antenna)
                antenna = (antenna + 1) % self._zones
            yield Pause(AGAIN_S)

    def _begin(self) -> Generator[Ask[Frame] | Pause, Frame | None, bool]:
        """Stop it reading on its own: it can't do that and what it is asked (C1 page, api)."""
        if (yield from self._ask(SET_POLLING, 0)) is None:
            return False
        self._reads_alone = False
        answer = yield from self._ask(GET_VERSION)
        if answer is None or failure(answer) is not None:
            return False
        self._up(f"{self.family} {version(answer)}".strip())
        return True

    def _read(self, antenna: int) -> Generator[Ask[Frame] | Pause, Frame | None, bool]:
        """One antenna; False if the reader says nothing or refuses, so that it has to be asked from
        the beginning: after a power cut it reads on its own again."""
        if self._zones > 1:
            answer = yield from self._ask(SET_ANTENNA, antenna + 1)
            if answer is None or self._is_refused(answer, "to choose an antenna"):
                self._failed(antenna)
                return False
        found, complete, answered = yield from self._inventory()
        if answered:
            answered = (yield from self._ask(HALT)) is not None
        if found is not None:
            real = [each.uid for each in found if is_plausible(each)]
            self._mangled(len(found) - len(real))
            self._scanned(antenna, real, complete=complete and len(real) == len(found))
        else:
            self._failed(antenna)
        return answered and not self._reads_alone and not self.trouble

    def _inventory(
        self,
    ) -> Generator[Ask[Frame] | Pause, Frame | None, tuple[list[Tag] | None, bool, bool]]:
        """What lies there, None if that is not known; whether it is all; whether it answered."""
        found: list[Tag] = []
        command = INVENTORY_START
        for _ in range(MAX_TAGS):
            answer = yield from self._ask(command, ALL_FAMILIES)
            if answer is None:
                return found or None, False, False
            error = failure(answer)
            if error is not None and error.number == NO_REPLY:
                # Of the first it says that nothing is there; of a later one that it is gone.
                self.trouble = ""
                return found, not found, True
            read = tag(answer)
            if read is None:
                if not found:
                    self._is_refused(answer, "an inventory")
                return found or None, False, True
            self.trouble = ""
            found.append(read)
            if not read.more:
                return found, True, True
            command = INVENTORY_NEXT
        return found, False, True

    def _is_refused(self, answer: Frame, what: str) -> bool:
        """Whether it did not do what it was asked; a person is told if that won't change."""
        error = failure(answer)
        if error is None:
            return False
        self.trouble = ""
        if error.number in REFUSALS:
            self.trouble = f"the reader refuses {what}: {REFUSALS[error.number]}"
        return True

    def _unasked(self, frame: Frame) -> None:
        """What it reads on its own shows that it has begun anew, and has to be told to stop."""
        self._reads_alone = self._reads_alone or frame.kind == ASYNC
        super()._unasked(frame)

    def _ask(self, command: int, *argument: int) -> Exchange:
        return (
            yield Ask(
                encode(Frame(command, bytes(argument))),
                ANSWER_WITHIN_S,
                lambda frame: answers(frame, command),
            )
        )
