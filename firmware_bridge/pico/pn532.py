"""NXP PN532 over its high speed UART (user manual UM0701-02, 6.2 and 7): two tags at most.

Like Pn5180, whose methods it has, it yields while it waits and raises ReaderError.
"""

import tally
from faults import ReaderError
from micropython import const

_ACK_US = const(40000)
_ANSWER_US = const(150000)
_START_US = const(3000)
_MAX_FRAME = const(262)

_TO_CHIP = const(0xD4)
_FROM_CHIP = const(0xD5)
_GET_VERSION = const(0x02)
_SAM_CONFIGURATION = const(0x14)
_RF_CONFIGURATION = const(0x32)
_IN_LIST_PASSIVE_TARGET = const(0x4A)

ACK = "ack"
NAK = "nak"
ERROR = "error"


def frame(data):
    """Return the normal information frame with these data, TFI included (6.2.1.1)."""
    size = len(data)
    return bytes((0, 0, 0xFF, size, -size & 0xFF)) + data + bytes((-sum(data) & 0xFF, 0))


class Parser:
    """Bytes in any portions -> ACK, NAK, ERROR or the data of a frame; noise is skipped."""

    def __init__(self):
        self._buffer = b""

    def feed(self, data):
        """Return what `data` completed."""
        self._buffer += data
        found = []
        while True:
            start = self._buffer.find(b"\0\xff")
            if start < 0:
                self._buffer = self._buffer[-1:]
                return found
            self._buffer = self._buffer[start:]
            taken, value = self._first()
            if not taken:
                return found
            self._buffer = self._buffer[taken:]
            if value is not None:
                found.append(value)

    def _first(self):
        """Return how many bytes of the buffer are dealt with, and what they mean."""
        head = self._buffer
        if len(head) < 4:
            return 0, None
        size, lcs, at = head[2], head[3], 4
        if size == 0 and lcs == 0xFF:
            return 4, ACK
        if size == 0xFF and lcs == 0:
            return 4, NAK
        if size == 0xFF and lcs == 0xFF:
            if len(head) < 7:
                return 0, None
            size, at = head[4] << 8 | head[5], 7
            if (head[4] + head[5] + head[6]) & 0xFF or size > _MAX_FRAME:
                return 2, None
        elif (size + lcs) & 0xFF:
            return 2, None
        end = at + size + 1
        if len(head) < end:
            return 0, None
        if not size or sum(head[at:end]) & 0xFF:
            return 2, None
        data = head[at : end - 1]
        if data[0] == _FROM_CHIP:
            return end, data[1:]
        return end, ERROR if data == b"\x7f" else None


def targets(data):
    """Return the UIDs in an answer to InListPassiveTarget at 106 kbit/s type A (7.3.5).

    Raises ReaderError if the answer is torn.
    """
    uids = []
    at = 2
    try:
        for _ in range(data[1]):
            size = data[at + 4]
            uid = data[at + 5 : at + 5 + size]
            if size not in (4, 7, 10) or len(uid) != size:
                raise ReaderError("a torn list of tags")
            uids.append(bytes(uid))
            has_ats = data[at + 3] & 0x20
            at += 5 + size
            if has_ats:
                at += data[at]
    except IndexError:
        raise ReaderError("a torn list of tags") from None
    return uids


class Pn532:
    """One chip: `uart` has read and write, `reset` is the pin at RSTPDN."""

    settle_us = 5000

    def __init__(self, uart, reset, clock):
        self._uart = uart
        self._reset = reset
        self._clock = clock
        self.counts = tally.Counts()

    def kill(self):
        """Hold the chip in power down: its field is off."""
        self._reset(0)

    def start(self):
        """Boot the chip; one attempt per poll, so that an empty field answers at once."""
        self.kill()
        yield from self._pause(_START_US)
        self._reset(1)
        yield from self._pause(_START_US)
        self._uart.write(b"\x55\x55\x00\x00\x00\x00\x00\x00\x00\x00")
        yield from self._call(_SAM_CONFIGURATION, b"\x01\x14\x01")
        version = yield from self._call(_GET_VERSION, b"")
        if len(version) < 2 or version[1] != 0x32:
            raise ReaderError("no PN532 answers")
        yield from self._call(_RF_CONFIGURATION, b"\x05\xff\x01\x01")
        yield from self.field_off()

    def field_on(self):
        """Switch the field on."""
        yield from self._call(_RF_CONFIGURATION, b"\x01\x01")

    def field_off(self):
        """Switch the field off."""
        yield from self._call(_RF_CONFIGURATION, b"\x01\x00")

    def inventory(self, uids):
        """Add the UIDs of up to two tags of type A to the set `uids`; return True.

        The chip can't tell whether there are more. Switch the field off afterwards: a tag
        that stays selected does not answer the next time.
        """
        answer = yield from self._call(_IN_LIST_PASSIVE_TARGET, b"\x02\x00")
        uids.update(targets(answer))
        return True

    def _call(self, command, arguments):
        """Send a command and return its answer, which begins with the command's number + 1."""
        parser = Parser()
        self._uart.read()
        self._uart.write(frame(bytes((_TO_CHIP, command)) + arguments))
        end = self._clock() + _ACK_US
        acked = False
        while True:
            for value in parser.feed(self._uart.read() or b""):
                if value is ACK:
                    acked = True
                    end = self._clock() + _ANSWER_US
                elif value is ERROR or value is NAK:
                    raise ReaderError("it refuses a command")
                elif acked and value and value[0] == command + 1:
                    return value
            if self._clock() > end:
                raise ReaderError("it does not answer" if acked else "it does not acknowledge")
            yield

    def _pause(self, us):
        end = self._clock() + us
        while self._clock() < end:
            yield
