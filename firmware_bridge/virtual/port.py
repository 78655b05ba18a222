"""A serial port with a device made of software behind it: a pty."""

from __future__ import annotations

import asyncio
import contextlib
import os
import termios
import tty
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Protocol

STEP_S = 0.005


class VirtualDevice(Protocol):
    """A device, sans-I/O."""

    def receive(self, data: bytes, now: float) -> None:
        """Take in bytes from the host."""

    def poll(self, now: float) -> bytes:
        """Return the bytes that are due."""


class VirtualPort:
    """One device behind a pty at the symbolic link `link`, which stays the same when the cable
    is pulled and plugged in again. `clock` and `sleep` count seconds on one scale."""

    def __init__(
        self,
        device: VirtualDevice,
        link: Path,
        *,
        clock: Callable[[], float],
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._device = device
        self._link = link
        self._clock = clock
        self._sleep = sleep
        self._pty: tuple[int, int] | None = None
        self.plug()

    @property
    def path(self) -> str:
        """The path to open."""
        return str(self._link)

    def plug(self) -> None:
        """Plug the cable in; nothing happens if it is in."""
        if self._pty is None:
            host, port = self._pty = os.openpty()
            tty.setraw(port)
            os.set_blocking(host, False)
            self._link.symlink_to(os.ttyname(port))

    def unplug(self) -> None:
        """Pull the cable: the port vanishes. The device itself runs on."""
        if self._pty is not None:
            for fd in self._pty:
                os.close(fd)
            self._pty = None
            self._link.unlink(missing_ok=True)

    def disturb(self, data: bytes) -> None:
        """Put bytes on the wire that the device did not send."""
        if self._pty is not None:
            os.write(self._pty[0], data)

    async def run(self) -> None:
        """Answer until cancelled; then the port is gone."""
        try:
            while True:
                self._step()
                await self._sleep(STEP_S)
        finally:
            self.unplug()

    def _forget_settings(self) -> None:
        """A pty has no parity. The C library lets that pass when another setting changes, and
        fails a host that opens the port a second time with the same ones."""
        if self._pty is not None:
            settings = termios.tcgetattr(self._pty[1])
            if settings[4] != termios.B9600:
                settings[4] = settings[5] = termios.B9600
                termios.tcsetattr(self._pty[1], termios.TCSANOW, settings)

    def _step(self) -> None:
        now = self._clock()
        self._forget_settings()
        if self._pty is not None:
            with contextlib.suppress(BlockingIOError):
                self._device.receive(os.read(self._pty[0], 4096), now)
        data = self._device.poll(now)
        if data and self._pty is not None:
            with contextlib.suppress(BlockingIOError):
                os.write(self._pty[0], data)
