"""The felt and the people at it, who go on whether or not a table watches them."""

from __future__ import annotations

import asyncio
import os
import random
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from controller.contract.cards import CARDS
from controller.contract.view import FindingView, TableView
from controller.demo.dealer import Dealer
from controller.demo.deck import PUCK
from controller.demo.screen import UnseenScreen
from controller.demo.table import BUTTONS, ZONES
from firmware_bridge.virtual.table import VirtualTable
from tests.campaign.hands import Truth

_BUFFER = 4096
"""Bytes that an adapter keeps."""


class Wire(VirtualTable):
    """A device whose cable can be bad. What it sends while the line `stands` still comes later, as
    much of it as a buffer holds."""

    stands = False
    _held = b""

    def _readable(self) -> None:
        if self.stands and self._pty is not None:
            with suppress(BlockingIOError):
                os.read(self._pty[0], 4096)
        else:
            super()._readable()

    def _flush(self) -> None:
        if self.stands:
            said = self._held + self.device.poll(self._clock())
            self._held = said[:_BUFFER]
        elif self._held and self._pty is not None:
            held, self._held = self._held, b""
            with suppress(BlockingIOError):
                os.write(self._pty[0], held + b"\0")
        else:
            super()._flush()


class DealersSocket(UnseenScreen):
    """What a dealer enters while the screen has no table is lost, as at the real screen."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, TableView(table="", rulebook=""))
        self.lost = 0

    def enter(self, **fields: Any) -> None:  # noqa: ANN401
        if self._writer is None or self._writer.is_closing():
            self.lost += 1
        else:
            self._writer.write(msgspec.json.encode(fields) + b"\n")


class People:
    """A dealer and players. `presses` are all that were made at seats, in order."""

    def __init__(self, folder: Path, speed: float, rng: random.Random) -> None:
        uids = rng.sample(range(1 << 32), len(CARDS) + 1)
        things = (*CARDS, PUCK)
        self.tags = {thing: f"E0040150{uid:08X}" for thing, uid in zip(things, uids, strict=True)}
        self.presses: list[tuple[int, str]] = []
        self.socket = DealersSocket(folder / "dealer.sock")
        self._speed = speed
        self.wire = Wire(
            ZONES,
            BUTTONS,
            clock=lambda: speed * time.monotonic(),
            sleep=self._pause,
            link=folder / "port",
        )
        self._dealer = Dealer(self, self._pause, rng)

    async def run(self) -> None:
        """The device scans and the socket stays open, until cancelled."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self.wire.run(), name="device")
            group.create_task(self.socket.run(), name="socket")

    async def play(self, truth: Truth) -> None:
        """One hand from the riffle to the collected cards, at their own pace."""
        await self._dealer.deal_hand(truth.played, truth.seats, None)

    async def _pause(self, seconds: float) -> None:
        await asyncio.sleep(seconds / self._speed)

    # what their hands do: `controller.demo.deck.Felt`

    def place(self, zone: str, card: str) -> None:
        """A card is laid onto an antenna."""
        self.wire.place(zone, self.tags[card])

    def take(self, zone: str, card: str) -> None:
        """A card is lifted off it."""
        self.wire.take(zone, self.tags[card])

    def press(self, seat: int, button: str) -> None:
        """A player presses."""
        self.presses.append((seat, button))
        self.wire.press(seat, button)

    def enter(self, **fields: Any) -> None:  # noqa: ANN401
        """The dealer enters something."""
        self.socket.enter(**fields)

    def findings(self) -> Sequence[FindingView]:
        """Nobody looks: they have made no error."""
        return ()
