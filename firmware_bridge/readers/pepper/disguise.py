"""Pepper C1 frames with other UIDs in them (see `firmware_bridge.disguise`)."""

from __future__ import annotations

from collections.abc import Sequence

from firmware_bridge.decode.stream import Found
from firmware_bridge.disguise import Name, Page, filled
from firmware_bridge.readers.pepper import codec
from firmware_bridge.readers.pepper.codec import Frame

_ARGUMENTS = {
    codec.GET_VERSION: 0,
    codec.HALT: 0,
    codec.SET_POLLING: 1,
    codec.SET_ANTENNA: 1,
    codec.INVENTORY_START: 1,
    codec.INVENTORY_NEXT: 1,
}
"""What is asked, with so many bytes that say nothing of a tag."""
_ERROR = 3
_UNTOLD = bytes((0, codec.BAD_READ))


def disguise(raw: bytes, name: Name) -> bytes | Page | None:
    """See `family.Family`."""
    found = codec.scan(raw, 0)
    if not isinstance(found, Found) or found.frame is None:
        return None
    frame = found.frame
    kept = 0
    if frame.kind == codec.ACK:
        read = codec.tag(frame)
        if read is not None:
            return _page(frame, read, name)
        version = len(codec.version(frame)) if frame.body[:1] == bytes((codec.GET_VERSION,)) else 0
        kept = 1 + version
    elif frame.kind == codec.ERROR:
        kept = _ERROR
    elif len(frame.body) == _ARGUMENTS.get(frame.kind):
        kept = len(frame.body)
    rest = frame.body[kept:]
    return codec.encode(Frame(frame.kind, frame.body[:kept] + filled(len(rest))))


def begins_set(data: bytes) -> bool:
    """See `family.Family`: all that is sent does, unless it asks for the next tag of a set."""
    found = codec.scan(data, 0) if data else None
    frame = found.frame if isinstance(found, Found) else None
    return not (frame and frame.kind == codec.INVENTORY_NEXT)


def _page(frame: Frame, read: codec.Tag, name: Name) -> Page:
    def again(tags: Sequence[str]) -> bytes | None:
        if not tags:  # the rest of its set never came, so that none of it can be told
            return codec.encode(Frame(codec.ERROR, frame.body[:1] + _UNTOLD))
        if len(tags) != 1 or len(tags[0]) != len(read.uid):
            return None
        uid = bytes.fromhex(tags[0])[::-1]
        body = frame.body[:1] + uid + bytes((0, read.more))
        return codec.encode(Frame(frame.kind, body))

    return Page("inventory", (name(read.uid, [read.uid]),), not read.more, again)
