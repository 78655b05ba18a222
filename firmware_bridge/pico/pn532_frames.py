"""Frames of NXP's PN532 (user manual UM0701-02, 6.2.1): the same over UART, SPI and I2C."""

from faults import ReaderError
from micropython import const

_MAX_FRAME = const(262)
_FROM_CHIP = const(0xD5)

ACK = "ack"
NAK = "nak"
ERROR = "error"

AGAIN = b"\x00\x00\xff\xff\x00\x00"  # a NAK: send the last answer again (6.2.1.4)


def frame(data):
    """Return the normal information frame with these data, TFI included (6.2.1.1)."""
    size = len(data)
    return bytes((0, 0, 0xFF, size, -size & 0xFF)) + data + bytes((-sum(data) & 0xFF, 0))


def _extent(head):
    """Return where in `head`, which begins with a start code, data begin and checksum ends.

    Both are 4 in ACK and NAK. The second is 0 if more bytes have to come, the first if it is
    no frame.
    """
    if len(head) < 4:
        return 1, 0
    size, lcs, at = head[2], head[3], 4
    if size + lcs == 0xFF and (not size or not lcs):
        return 4, 4
    if size == 0xFF and lcs == 0xFF:
        if len(head) < 7:
            return 1, 0
        size, at = head[4] << 8 | head[5], 7
        if (head[4] + head[5] + head[6]) & 0xFF or size > _MAX_FRAME:
            return 0, 0
    elif (size + lcs) & 0xFF:
        return 0, 0
    return (at, at + size + 1) if size else (0, 0)


def missing(data):
    """Return how many bytes `data`, which begins with a frame, is short of that frame's end.

    Negative if there are more; 0 if no frame can be seen in it.
    """
    start = data.find(b"\0\xff")
    end = _extent(data[start:])[1] if start >= 0 else 0
    return start + end + 1 - len(data) if end else 0


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
        at, end = _extent(head)
        if not at:
            return 2, None
        if not end or len(head) < end:
            return 0, None
        if end == 4:
            return 4, NAK if head[2] else ACK
        if sum(head[at:end]) & 0xFF:
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
