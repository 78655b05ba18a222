"""A virtual table on a pty: it holds zones, tags and buttons and knows no game."""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import os
import secrets
import sys
import termios
import tty
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

from firmware_bridge.link.messages import MAX_UID
from firmware_bridge.virtual.device import Device

PRESS_S = 0.08


def _random_boot_id() -> int:
    return secrets.randbits(32)


class VirtualTable:
    """One device with its antennas and buttons, to be opened like a serial port.

    `zones` and `buttons` (seat, label) stand for the device's indices 0, 1, …; the same
    lists wire the bridge. `clock` and `sleep` count seconds on one scale, which may run
    faster than real time. With `link`, the port is that symbolic link, which stays the
    same when the table is unplugged and plugged in again, as in /dev/serial/by-id.
    `unique_id` is that of the board, 8 bytes.
    """

    def __init__(
        self,
        zones: Sequence[str],
        buttons: Sequence[tuple[int, str]] = (),
        *,
        clock: Callable[[], float],
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        cycle: float = 0.12,
        lamps: int = 0,
        link: Path | None = None,
        boot_id: Callable[[], int] = _random_boot_id,
        unique_id: bytes | None = None,
    ) -> None:
        self._zones = tuple(zones)
        self._buttons = tuple(buttons)
        self._clock = clock
        self._sleep = sleep
        self._cycle = cycle
        self._lamps = lamps
        self._link = link
        self._boot_id = boot_id
        self._unique_id = secrets.token_bytes(8) if unique_id is None else unique_id
        self._releases: list[tuple[float, int]] = []
        self._pty: tuple[int, int] | None = None
        self._running = False
        self._torn = False
        self.dropped = 0
        self.device = self._boot()
        self.plug()

    @property
    def port(self) -> str:
        """The path to open; raises RuntimeError while unplugged without a `link`."""
        if self._link is not None:
            return str(self._link)
        if self._pty is None:
            raise RuntimeError("the virtual table is unplugged")
        return os.ttyname(self._pty[1])

    @property
    def unread(self) -> int:
        """The bytes that whoever has opened the port has yet to read; none while unplugged."""
        if self._pty is None:
            return 0
        answer = fcntl.ioctl(self._pty[1], termios.FIONREAD, bytes(4))
        return int.from_bytes(answer, sys.byteorder)

    def place(self, zone: str, tag: str) -> None:
        """Put a tag into a zone's field."""
        if len(tag) % 2 or not 0 < len(tag) // 2 <= MAX_UID or tag.strip("0123456789ABCDEF"):
            raise ValueError("a tag is 1 to 16 bytes in upper case hex")
        self.device.place(self._zone(zone), tag)

    def take(self, zone: str, tag: str) -> None:
        """Take a tag out of a zone's field; nothing happens if it isn't there."""
        self.device.take(self._zone(zone), tag)

    def press(self, seat: int, button: str) -> None:
        """Press a seat's button; it is released a moment later."""
        key = (seat, button)
        if key not in self._buttons:
            raise ValueError(f"seat {seat} has no button {button!r}")
        index = self._buttons.index(key)
        now = self._clock()
        self.device.edge(index, True, now)
        self._releases.append((now + PRESS_S, index))
        self._flush()

    def disturb(self, data: bytes) -> None:
        """Put bytes on the wire that the device did not send; unplugged, they go nowhere."""
        if self._pty is not None:
            os.write(self._pty[0], data)

    def reboot(self) -> None:
        """Power the device off and on; what lies on the table stays there."""
        lying = [self.device.tags(number) for number in range(len(self._zones))]
        self.device = self._boot()
        self._releases.clear()
        for number, tags in enumerate(lying):
            for tag in tags:
                self.device.place(number, tag)

    def unplug(self) -> None:
        """Pull the cable: the port vanishes. The device itself runs on."""
        if self._pty is None:
            return
        if self._running:
            asyncio.get_running_loop().remove_reader(self._pty[0])
        for fd in self._pty:
            os.close(fd)
        self._pty = None
        if self._link is not None:
            self._link.unlink(missing_ok=True)

    def plug(self, link: Path | None = None) -> None:
        """Plug the cable in again, as `link` if given; nothing happens if it is in."""
        if self._pty is not None:
            return
        self._link = link or self._link
        host, port = self._pty = os.openpty()
        tty.setraw(port)
        os.set_blocking(host, False)
        if self._link is not None:
            self._link.symlink_to(os.ttyname(port))
        if self._running:
            asyncio.get_running_loop().add_reader(host, self._readable)

    async def run(self) -> None:
        """Scan and answer until cancelled; then the port is gone."""
        self._running = True
        if self._pty:
            asyncio.get_running_loop().add_reader(self._pty[0], self._readable)
        try:
            while True:
                now = self._clock()
                due = [release for release in self._releases if release[0] <= now]
                for release in due:
                    self._releases.remove(release)
                    self.device.edge(release[1], False, now)
                self._flush()
                # Antennas that fall due within an eighth of a cycle are scanned together.
                await self._sleep(max(self.device.next_due() - now, self._cycle / 8))
        finally:
            self.unplug()
            self._running = False

    def _boot(self) -> Device:
        return Device(
            zones=len(self._zones),
            buttons=len(self._buttons),
            lamps=self._lamps,
            boot_id=self._boot_id(),
            now=self._clock(),
            cycle=self._cycle,
            unique_id=self._unique_id,
        )

    def _zone(self, zone: str) -> int:
        if zone not in self._zones:
            raise ValueError(f"no zone {zone!r}")
        return self._zones.index(zone)

    def _readable(self) -> None:
        if self._pty is None:
            return
        with contextlib.suppress(BlockingIOError):
            self.device.receive(os.read(self._pty[0], 4096), self._clock())
        self._flush()

    def _flush(self) -> None:
        """Send what is due. What a full buffer does not take is lost, as on USB."""
        data = self.device.poll(self._clock())
        if not data or self._pty is None:
            return
        if self._torn:
            data = b"\0" + data
        try:
            sent = os.write(self._pty[0], data)
        except BlockingIOError:
            sent = 0
        self._torn = sent < len(data)
        self.dropped += len(data) - sent
