"""Frames of the microcontroller link with other UIDs in them (see `firmware_bridge.disguise`)."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from firmware_bridge.disguise import Name, Page, filled, named
from firmware_bridge.link import messages
from firmware_bridge.link.frames import VERSION, Frame, FrameDecoder, encode
from firmware_bridge.link.messages import Hello, Zone


def disguise(raw: bytes, name: Name) -> bytes | Page | None:
    """See `family.Family`."""
    if raw == b"\0":
        return raw
    found = FrameDecoder().feed(raw)
    if len(found) != 1:
        return None
    [frame] = found
    if frame.version != VERSION:
        return _with_payload(frame, filled(len(frame.payload)))
    try:
        message = messages.from_frame(frame)
    except messages.MessageError:
        return _with_payload(frame, filled(len(frame.payload)))
    if isinstance(message, Zone):
        return _zone(frame, message, name)
    if isinstance(message, Hello):
        plain = "".join(c if c.isascii() else "?" for c in message.firmware)
        message = msgspec.structs.replace(message, firmware=plain[: messages.MAX_FIRMWARE])
        return _with_payload(frame, messages.to_frame(message).payload)
    known = len(messages.to_frame(message).payload)
    return _with_payload(frame, frame.payload[:known] + filled(len(frame.payload) - known))


def _with_payload(frame: Frame, payload: bytes) -> bytes:
    return encode(msgspec.structs.replace(frame, payload=payload))


def _zone(frame: Frame, zone: Zone, name: Name) -> bytes | Page | None:
    flags = zone.flags & (messages.ZoneFlag.INCOMPLETE | messages.ZoneFlag.FAILED)

    def again(tags: Sequence[str]) -> bytes | None:
        told = Zone(zone.zone, zone.scan_ticks, tuple(tags), flags, zone.part, zone.parts)
        try:
            return _with_payload(frame, messages.to_frame(told).payload)
        except messages.MessageError:
            return None

    tags = tuple(named(zone.tags, name))
    if zone.parts == 1:
        return again(tags)
    key = (zone.zone, zone.scan_ticks, zone.parts)
    return Page(key, tags, False, again, zone.part, zone.parts)
