"""NXP PN532 seen from its UART: the frames and commands of UM0701-02 that readers use."""

from __future__ import annotations

from collections.abc import Callable

from firmware_bridge.pico.sim.air import Air

ACK = bytes.fromhex("0000ff00ff00")
SYNTAX_ERROR = bytes.fromhex("0000ff01ff7f8100")
EMPTY_S = 0.008
TAG_S = 0.006


def frame(data: bytes) -> bytes:
    """Return a normal information frame (6.2.1.1)."""
    head = bytes((0, 0, 0xFF, len(data), (0x100 - len(data)) & 0xFF))
    return head + data + bytes(((0x100 - sum(data)) & 0xFF, 0))


class Pn532Chip:
    """A chip at the antenna of `zone`. It sleeps until it hears 0x55."""

    def __init__(self, air: Air, zone: int, clock: Callable[[], float]) -> None:
        self.hangs = False
        self.heals = True
        self._air = air
        self._zone = zone
        self._clock = clock
        self._powered = False
        self._boot()

    def _boot(self) -> None:
        self._air.off(self._zone)
        self._in = bytearray()
        self._out: list[tuple[float, bytes]] = []
        self._asleep = True
        self._retries = 0xFF
        self._halted: set[bytes] = set()

    def reset(self, level: int) -> None:
        """RSTPDN: low powers down."""
        if not level:
            self._powered = False
            if self.heals:
                self.hangs = False
            self._boot()
        else:
            self._powered = True

    def write(self, data: bytes) -> None:
        """Bytes from the host."""
        if not self._powered or self.hangs:
            return
        if self._asleep:
            self._asleep = 0x55 not in data
            return
        self._in += data
        while (start := self._in.find(b"\0\xff")) >= 0:
            del self._in[:start]
            if len(self._in) < 4:
                return
            size, lcs = self._in[2], self._in[3]
            if (size, lcs) in ((0, 0xFF), (0xFF, 0)):
                del self._in[:4]
                continue
            if (size + lcs) & 0xFF:
                del self._in[:2]
                continue
            if len(self._in) < size + 6:
                return
            body = bytes(self._in[4 : 5 + size])
            del self._in[: size + 6]
            if not sum(body) & 0xFF and body[0] == 0xD4:
                self._command(body[1], body[2:-1])

    def read(self) -> bytes:
        """Bytes to the host."""
        now = self._clock()
        due = b"".join(data for t, data in self._out if t <= now)
        self._out = [(t, data) for t, data in self._out if t > now]
        return due

    def _command(self, command: int, arguments: bytes) -> None:
        self._out = [(self._clock() + 0.0005, ACK)]
        match command:
            case 0x02:
                self._answer(command, bytes.fromhex("32010607"))
            case 0x14:
                self._answer(command, b"")
            case 0x32:
                self._configure(arguments)
                self._answer(command, b"")
            case 0x4A:
                self._list()
            case 0x44 | 0x52:
                self._halted.clear()
                self._answer(command, b"\0")
            case _:
                self._out.append((self._clock() + 0.001, SYNTAX_ERROR))

    def _answer(self, command: int, data: bytes, after: float = 0.0015) -> None:
        self._out.append((self._clock() + after, frame(bytes((0xD5, command + 1)) + data)))

    def _configure(self, arguments: bytes) -> None:
        if arguments[0] == 0x05:
            self._retries = arguments[3]
        elif arguments[0] == 0x01 and arguments[1] & 1:
            self._air.on(self._zone)
        elif arguments[0] == 0x01:
            self._air.off(self._zone)
            self._halted.clear()

    def _list(self) -> None:
        """InListPassiveTarget; a tag that was selected and not released does not answer."""
        self._air.on(self._zone)
        tags = [
            uid
            for uid in self._air.tags(self._zone)
            if len(uid) in (4, 7, 10) and uid not in self._halted
        ][:2]
        if not tags and self._retries == 0xFF:
            return
        self._halted |= set(tags)
        listed = b"".join(
            bytes((number, 0x00, 0x44 if len(uid) > 4 else 0x04, 0x00, len(uid))) + uid
            for number, uid in enumerate(tags, 1)
        )
        wait = EMPTY_S + TAG_S * len(tags)
        self._answer(0x4A, bytes((len(tags),)) + listed, wait)
