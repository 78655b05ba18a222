"""Frames of the microcontroller link in words (link/PROTOCOL.md)."""

from __future__ import annotations

from typing import Any

from firmware_bridge.decode.meaning import Fact, Meaning, MeaningError, Part
from firmware_bridge.decode.stream import Cause, Found, Short, Wrong
from firmware_bridge.link.frames import MAX_ENCODED, VERSION, Frame, FrameDecoder, Kind
from firmware_bridge.link.messages import (
    Hello,
    Message,
    MessageError,
    Tally,
    Zone,
    from_frame,
)

_FAULTS: dict[str, tuple[str, Cause]] = {
    "bad_cobs": ("not COBS encoded", "noise"),
    "bad_crc": ("bad CRC", "bad_crc"),
    "too_short": ("too short for a frame: 10 bytes are the least", "too_short"),
}


def scan(data: bytes, at: int) -> Found[Frame] | Wrong | Short:
    """Look for a frame (see `stream.Scan`): all up to the next zero."""
    end = data.find(0, at)
    if end == at:
        return Found(1, None)
    if (end if end >= 0 else len(data)) - at > MAX_ENCODED:
        size = end + 1 - at if end >= 0 else len(data) - at
        return Wrong(size, f"more than {MAX_ENCODED} bytes without a zero", "too_long")
    if end < 0:
        return Short(len(data) - at + 1)
    decoder = FrameDecoder()
    frames = decoder.feed(data[at : end + 1])
    if frames:
        return Found(end + 1 - at, frames[0])
    counters = decoder.counters
    for name, (reason, cause) in _FAULTS.items():
        if getattr(counters, name):
            return Wrong(end + 1 - at, reason, cause)
    return Wrong(end + 1 - at, "not a frame")


def may_end(data: bytes) -> bool:
    """Whether a frame may end with this: it has one zero, its last byte."""
    return data.find(0) == len(data) - 1


def _fields(message: Message | Tally) -> list[tuple[str, Any]]:
    names = (name for name in message.__struct_fields__ if name != "tally")
    return [(name, getattr(message, name)) for name in names]


def explain(frame: Frame, raw: bytes) -> Meaning:
    """Return what a frame means; its parts are those of the COBS encoding. Raises MeaningError."""
    if frame.version != VERSION:
        raise MeaningError(f"protocol version {frame.version}; only {VERSION} is spoken here")
    try:
        message = from_frame(frame)
    except MessageError as error:
        raise MeaningError(str(error)) from None
    kind = type(message).__name__
    named = [each.name.lower() for each in Kind if each == frame.kind]
    facts: dict[str, Fact] = {"frame": " ".join(named), "seq": frame.seq, "ticks": frame.ticks}
    counted = getattr(message, "tally", None)
    for name, value in (*_fields(message), *(() if counted is None else _fields(counted))):
        facts[name] = value.hex().upper() if isinstance(value, bytes) else value
    uids: tuple[str, ...] = ()
    if isinstance(message, Zone):
        uids = message.tags
        facts["tags"] = list(uids)
    text = f"{kind}, COBS encoded: " + ", ".join(
        f"{k} {v}" for k, v in facts.items() if k != "tags"
    )
    if isinstance(message, Hello):
        text += " (the device identifies itself)"
    return Meaning(kind.lower(), [Part(len(raw) - 1, text), Part(1, "delimiter")], uids, facts)
