"""A serial port in the asyncio loop: the only place that knows pyserial.

The descriptor is read straight from the loop. A port that is missing, busy or vanishes
is reported once in plain words and tried again every half second.
"""

from __future__ import annotations

import asyncio
import errno
import os
import termios
from collections.abc import Awaitable, Callable

import serial

from firmware_bridge.family import Parity

REOPEN_EVERY_S = 0.5
MAX_OUTBOX = 4096
_READ_SIZE = 65536
_PARITY = {"none": serial.PARITY_NONE, "even": serial.PARITY_EVEN, "odd": serial.PARITY_ODD}


class SerialTransport:
    """One port. The callbacks run in the loop: `on_open()`, `on_bytes(data)`, `on_lost(text)`.

    `sleep` waits for seconds on the same scale as the caller's clock. An exception in a
    callback ends `run` with that exception. `choose` gives the port to try next, or None; by
    default it is always `path`, and of others no failure to open is reported.
    """

    def __init__(
        self,
        path: str,
        *,
        on_open: Callable[[], None],
        on_bytes: Callable[[bytes], None],
        on_lost: Callable[[str], None],
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        baud: int = 115200,
        parity: Parity = "none",
        choose: Callable[[], str | None] | None = None,
    ) -> None:
        self.path = path
        self.open_path: str | None = None
        self.dropped = 0
        self._baud = baud
        self._parity = _PARITY[parity]
        self._on_open = on_open
        self._on_bytes = on_bytes
        self._on_lost = on_lost
        self._sleep = sleep
        self._choose = choose or (lambda: path)
        self._fd: int | None = None
        self._ended: asyncio.Future[bool] | None = None
        self._outbox = bytearray()
        self._reported: str | None = None

    @property
    def is_open(self) -> bool:
        """Whether the port is open now."""
        return self._fd is not None

    async def run(self) -> None:
        """Keep the port open until cancelled."""
        while True:
            path = self._choose()
            if path is not None:
                await self._use(path)
            await self._sleep(REOPEN_EVERY_S)

    def release(self) -> None:
        """Close the port and choose again; nothing is reported."""
        if self._ended is not None and not self._ended.done():
            self._ended.set_result(False)

    async def _use(self, path: str) -> None:
        try:
            port = serial.Serial(
                path,
                self._baud,
                parity=self._parity,
                timeout=0,
                write_timeout=0,
                exclusive=True,
            )
        except (OSError, ValueError, termios.error) as error:
            if path == self.path:
                self._report(*_why_not(path, error))
            return
        self.open_path = path
        try:
            if await self._serve(port.fileno()):
                self._reported = None
                self._report("absent", f"{path} is gone: unplugged or switched off")
        finally:
            self.open_path = None
            port.close()

    def write(self, data: bytes) -> None:
        """Send when the port takes it; while it is closed or clogged, drop and count."""
        if self._fd is None or len(self._outbox) + len(data) > MAX_OUTBOX:
            self.dropped += len(data)
            return
        self._outbox += data
        self._flush()

    async def _serve(self, fd: int) -> bool:
        """Read until the port is lost, which is True, or released."""
        loop = asyncio.get_running_loop()
        self._fd = fd
        ended: asyncio.Future[bool] = loop.create_future()
        self._ended = ended
        self._outbox.clear()
        try:
            loop.add_reader(fd, self._readable)
            self._on_open()
            return await ended
        finally:
            loop.remove_reader(fd)
            loop.remove_writer(fd)
            self._fd = self._ended = None

    def _readable(self) -> None:
        if self._fd is None or self._ended is None or self._ended.done():
            return
        try:
            data = os.read(self._fd, _READ_SIZE)
        except (BlockingIOError, InterruptedError):
            return
        except OSError:
            data = b""
        if not data:
            self._ended.set_result(True)
            return
        try:
            self._on_bytes(data)
        except Exception as error:
            self._ended.set_exception(error)

    def _flush(self) -> None:
        if self._fd is None:
            return
        loop = asyncio.get_running_loop()
        try:
            sent = os.write(self._fd, self._outbox)
        except (BlockingIOError, InterruptedError):
            sent = 0
        except OSError:
            # The reader sees the same loss and reports it.
            sent = len(self._outbox)
        del self._outbox[:sent]
        if self._outbox:
            loop.add_writer(self._fd, self._flush)
        else:
            loop.remove_writer(self._fd)

    def _report(self, cause: str, text: str) -> None:
        if cause != self._reported:
            self._reported = cause
            self._on_lost(text)


def _why_not(path: str, error: Exception) -> tuple[str, str]:
    """Return why a port could not be opened: the cause's name, and in plain words."""
    match getattr(error, "errno", None):
        case errno.ENOENT | errno.ENXIO | errno.ENODEV | errno.EIO:
            return "absent", f"{path} is not there: is the device plugged in?"
        case errno.EACCES | errno.EPERM:
            return "forbidden", f"{path} may not be opened: is this user in the group dialout?"
        case errno.EBUSY | errno.EAGAIN:
            return "busy", f"{path} is busy: another program has it open"
        case _:
            return "other", f"{path} can't be opened: {error}"
