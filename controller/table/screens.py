"""The Unix socket that feeds the dealer's screens and takes what is entered there.

One line of JSON each way: `{"kind":"view","t":…,"rate":…,"view":…}` out, observations without
`t` in. A table that can't begin says `{"kind":"refused","why":…}` instead. Only `dealer` inputs,
the dealer's `press` entries, `seat`, `riffle` (the *New hand* button), `open` and `close` are
accepted: a floorperson's decision never enters here
unauthenticated (contract, *Who decides*). What is no observation is a request:

- `{"kind":"deck-change","deck":NAME}`, since no screen has tags;
- `{"kind":"floor-login","name":NAME,"pin":DIGITS}` and `{"kind":"floor-logout"}`, between which
  `floor` inputs are accepted, in that name;
- `{"kind":"sensors","on":false}`, or `true`;
- `{"kind":"wager","seat":SEAT,"word":WORD,"amount":CHIPS,"motions":[[CHIPS,…],…]}`, and what else
  was so: what did that amount to (`WagerQuestion`)? The answer is in the picture (see `wagers`);
- `{"kind":"no-hand"}`: the dealer says to a floorperson who is signed in that none is played, so
  that cards may be named (see `naming`).
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from controller.contract.observations import (
    Close,
    DealerMisdeal,
    MalformedObservationError,
    Observation,
    Open,
    Press,
    Riffle,
    SeatChange,
    decode,
    is_dealer_input,
    is_floor_input,
)
from controller.contract.view import TableView
from controller.contract.wagered import WagerQuestion
from controller.table.floor_here import FloorHere
from controller.table.unix_socket import served

LONGEST_LINE = 4096
MOST_UNSENT = 1 << 20
REPEAT_S = 1.5
"""A screen that hears nothing for five seconds calls the picture stale."""


class _DeckRequest(
    Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="deck-change"
):
    deck: Annotated[str, Meta(max_length=64)]


class _Login(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="floor-login"):
    name: Annotated[str, Meta(max_length=40)]
    pin: Annotated[str, Meta(max_length=12)]

    def __repr__(self) -> str:
        return "_Login(…)"


class _Logout(
    Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="floor-logout"
):
    pass


class _SensorsRequest(
    Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="sensors"
):
    on: bool


class _NoHand(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="no-hand"):
    pass


_Request = _DeckRequest | _Login | _Logout | _SensorsRequest | _NoHand | WagerQuestion
_REQUESTS = {f'"{kind.__struct_config__.tag}"'.encode() for kind in _Request.__args__}


class Screens:
    """All screens of one table."""

    def __init__(
        self,
        path: Path,
        now: Callable[[], float] = lambda: 0.0,
        rate: float = 1.0,
        *,
        dealer_misdeals: bool = True,
    ) -> None:
        """`path` is where the socket will be; `now` is the table's time, which runs `rate` times
        as fast as the screens'. Whether the house lets the dealer call a misdeal is given too."""
        self._dealer_misdeals = dealer_misdeals
        self._path = path
        self._clock, self._rate = now, rate
        self._take: Callable[[Observation], None] = lambda _: None
        self._now: Callable[[], float] = lambda: 0.0
        self._change_deck: Callable[[str], bool] = lambda _: False
        self._floor: FloorHere | None = None
        self._turn: Callable[[bool], bool] = lambda _: False
        self._name_cards: Callable[[], bool] = lambda: False
        self._ask: Callable[[WagerQuestion], bool] = lambda _: False
        self._writers: set[asyncio.StreamWriter] = set()
        self._view = msgspec.Raw(b"null")
        self._why = ""
        self.refused = 0

    async def run(
        self,
        take: Callable[[Observation], None],
        now: Callable[[], float],
        change_deck: Callable[[str], bool],
        floor: FloorHere | None = None,
        turn: Callable[[bool], bool] = lambda _: False,
        *,
        name_cards: Callable[[], bool] = lambda: False,
        ask: Callable[[WagerQuestion], bool] = lambda _: False,
    ) -> None:
        """Serves until cancelled. Raises OSError where the socket can't be made.

        `take` gets what the screens enter; its `t` is `now`, the table's time in seconds.
        `change_deck` puts the deck of this name in play, or says that it can't; `turn` does so
        with the sensors, on or off, `name_cards` lets cards be named, and `ask` has an action
        judged. `floor` knows who from the floor is there.
        """
        self._take, self._now, self._change_deck = take, now, change_deck
        self._floor, self._turn, self._name_cards = floor, turn, name_cards
        self._ask = ask
        async with served(self._path, self._serve, limit=LONGEST_LINE):
            while True:
                await asyncio.sleep(REPEAT_S)
                self._send()

    def show(self, view: TableView) -> None:
        """Shows a picture of the table on every screen."""
        self._view = msgspec.Raw(msgspec.json.encode(view))
        self._send()

    def refuse(self, why: str) -> None:
        """There is nothing to show, since the table can't begin: its journal is `newer` than the
        program, or `foreign`."""
        self._why = why
        self._send()

    def _line(self) -> bytes:
        if self._why:
            return msgspec.json.encode({"kind": "refused", "why": self._why}) + b"\n"
        line = {"kind": "view", "t": self._clock(), "rate": self._rate, "view": self._view}
        return msgspec.json.encode(line) + b"\n"

    def _send(self) -> None:
        line = self._line()
        for writer in list(self._writers):
            if writer.transport.get_write_buffer_size() > MOST_UNSENT:
                # It has stopped reading: it will come back and get the whole picture.
                writer.transport.abort()
            else:
                writer.write(line)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.add(writer)
        try:
            writer.write(self._line())
            while line := await reader.readline():
                await self._entered(line)
        except ConnectionError:
            pass  # it went away without reading its last picture
        except ValueError:
            self.refused += 1
        finally:
            self._writers.discard(writer)
            writer.close()
            with contextlib.suppress(ConnectionError):
                await writer.wait_closed()

    async def _entered(self, line: bytes) -> None:
        try:
            fields = msgspec.json.decode(line, type=dict[str, msgspec.Raw])
            if bytes(fields.get("kind", b"")) in _REQUESTS:
                if not await self._asked(msgspec.json.decode(line, type=_Request)):
                    self.refused += 1
                return
            fields["t"] = msgspec.Raw(msgspec.json.encode(self._now()))
            observation = decode(msgspec.json.encode(fields))
        except (msgspec.DecodeError, MalformedObservationError, UnicodeDecodeError):
            self.refused += 1
            return
        if self._floor is not None and is_floor_input(observation):
            decided = self._floor.decided(observation)
            if decided is None:
                self.refused += 1
            else:
                self._take(decided)
            return
        entered = isinstance(observation, Press) and observation.by == "dealer"
        if isinstance(observation, DealerMisdeal) and not self._dealer_misdeals:
            self.refused += 1
        elif (
            entered
            or isinstance(observation, Riffle | SeatChange | Open | Close)
            or is_dealer_input(observation)
        ):
            self._take(observation)
        else:
            self.refused += 1

    async def _asked(self, request: _Request) -> bool:
        """Whether it was granted."""
        match request:
            case _DeckRequest():
                return self._change_deck(request.deck)
            case _SensorsRequest():
                return self._turn(request.on)
            case _NoHand():
                return self._name_cards()
            case WagerQuestion():
                return self._ask(request)
            case _Login() if self._floor is not None:
                return await self._floor.sign_in(request.name, request.pin)
            case _Logout() if self._floor is not None:
                self._floor.sign_out()
                return True
        return False
