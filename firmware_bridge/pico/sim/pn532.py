"""NXP PN532: the frames and commands of UM0701-02 that readers use, its reset and its sleep.

How a host reaches it is in `pn532_lines`.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf

from firmware_bridge.pico.sim.air import Air

ACK = bytes.fromhex("0000ff00ff00")
SYNTAX_ERROR = bytes.fromhex("0000ff01ff7f8100")
EMPTY_S = 0.008
TAG_S = 0.006
OSCILLATOR_S = 0.002
"""How long its clock takes to run after a wake-up, at most (T_osc_start of the data
sheet; unverified, its page was not seen)."""
PULSE_S = 0.02
START_S = 0.1
"""How long RSTPD_N has to be low, and when the chip is there after it.

The data sheet (12.23, as Adafruit-PN532 quotes its page 209) says 20 ns and 2 ms. A board that
got 1 ms and 12 ms answered its address and nothing else, and worked with 50 ms and 200 ms
(Fire-Devils/FilaMan-System-ESP32, pull request 24); Adafruit's CircuitPython driver waits 500 ms
and 100 ms. These two lie between. Unverified: nobody has measured where a board's limits are.
"""


def frame(data: bytes) -> bytes:
    """Return a normal information frame (6.2.1.1)."""
    head = bytes((0, 0, 0xFF, len(data), (0x100 - len(data)) & 0xFF))
    return head + data + bytes(((0x100 - sum(data)) & 0xFF, 0))


class Pn532Chip:
    """A chip at the antenna of `zone`, asleep after a reset (Low Vbat mode) until it is woken.

    After a pulse at RSTPD_N that is too short for it, it is confused: it acknowledges its address
    and answers nothing until it is reset again.
    """

    def __init__(
        self,
        air: Air,
        zone: int,
        clock: Callable[[], float],
        *,
        pulse_s: float = PULSE_S,
        start_s: float = START_S,
    ) -> None:
        self.hangs = False
        self.heals = True
        self._air = air
        self._zone = zone
        self._clock = clock
        self._pulse_s = pulse_s
        self._start_s = start_s
        self._low_since: float | None = -inf
        self._there_at = inf
        self._confused = False
        self._boot()

    def _boot(self) -> None:
        self._air.off(self._zone)
        self._in = bytearray()
        self._out: list[tuple[float, bytes]] = []
        self._last = b""
        self._awake_at = inf
        self._retries = 0xFF
        self._halted: set[bytes] = set()

    def reset(self, level: int) -> None:
        """RSTPD_N: low powers down."""
        now = self._clock()
        if not level and self._low_since is None:
            self._low_since = now
            self._there_at = inf
            if self.heals:
                self.hangs = False
            self._boot()
        elif level and self._low_since is not None:
            self._confused = now - self._low_since < self._pulse_s
            self._low_since = None
            self._there_at = now + self._start_s

    @property
    def is_there(self) -> bool:
        """Whether it has power and has started."""
        return self._clock() >= self._there_at

    @property
    def is_mute(self) -> bool:
        """Whether it has started and does nothing all the same."""
        return self.hangs or self._confused

    @property
    def is_asleep(self) -> bool:
        """Whether nothing has woken it."""
        return self._awake_at == inf

    def wake(self, after: float = OSCILLATOR_S) -> None:
        """What wakes it has come; it hears what comes `after` so many seconds."""
        if self.is_there and not self.is_mute and self.is_asleep:
            self._awake_at = self._clock() + after

    def hear(self, data: bytes) -> None:
        """Bytes from the host, however they came."""
        if not self.is_there or self.is_mute or self._clock() < self._awake_at:
            return
        self._in += data
        while (start := self._in.find(b"\0\xff")) >= 0:
            del self._in[:start]
            if len(self._in) < 4:
                return
            size, lcs = self._in[2], self._in[3]
            if (size, lcs) in ((0, 0xFF), (0xFF, 0)):
                del self._in[:4]
                self._acknowledged(again=bool(size))
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

    @property
    def is_ready(self) -> bool:
        """Whether a frame waits for the host."""
        return bool(self._out) and self._out[0][0] <= self._clock()

    def take(self) -> bytes:
        """The frame that waits: it is gone from the queue."""
        self._last = self._out.pop(0)[1]
        return self._last

    def _acknowledged(self, *, again: bool) -> None:
        """The host's ACK makes it give up (6.2.1.3), its NAK repeat its last frame (6.2.1.4)."""
        if again:
            self._out.insert(0, (self._clock() + 0.0005, self._last))
        else:
            self._out.clear()

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
