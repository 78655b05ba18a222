"""FEIG OBID frames with other UIDs in them (see `firmware_bridge.disguise`)."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from firmware_bridge.decode.stream import Found
from firmware_bridge.disguise import Name, Page, filled
from firmware_bridge.readers.feig import codec

HARMLESS = (codec.SOFTWARE_VERSION, codec.RF_RESET)
LONGEST_HARMLESS = 16
_OF_A_UNIT = len(codec.select_channel(1, 0))


def disguise(raw: bytes, name: Name) -> bytes | Page | None:
    """See `family.Family`."""
    found = codec.scan(raw, 0)
    if not isinstance(found, Found) or found.frame is None:
        return None
    frame = found.frame
    payload = frame.payload

    def with_data(data: bytes) -> bytes | None:
        return _frame(frame, payload[:1] + data)

    if frame.command in {codec.FUNCTION_UNIT, codec.UNIT_SAYS} and len(payload) <= _OF_A_UNIT:
        return raw
    if frame.address == codec.BROADCAST:
        is_inventory = frame.command == codec.ISO_HOST and len(payload) <= 3
        harmless = is_inventory or (frame.command in HARMLESS and not payload)
        return raw if harmless else _frame(frame, filled(len(payload)))
    if frame.command in HARMLESS and len(payload) <= LONGEST_HARMLESS:
        return raw
    if frame.command != codec.ISO_HOST or not payload:
        return with_data(filled(len(payload[1:])))
    if payload[0] == codec.INVENTORY and len(payload) in (2, 3) and not payload[1] & 0x0F:
        return raw  # a request to a reader by its own address
    read = codec.tags(payload[1:])
    if read is None:
        return with_data(filled(len(payload) - 1))
    kinds = {name(tag.uid, [t.uid for t in read]): tag for tag in read}

    def again(tags: Sequence[str]) -> bytes | None:
        if not tags and not payload[1:]:
            return raw
        return with_data(_inventory(tags, kinds))

    names = tuple(sorted(kinds))
    return Page("inventory", names, payload[0] != codec.MORE_DATA, again)


def begins_set(data: bytes) -> bool:
    """See `family.Family`: all that is sent does, unless it asks for the rest of a set."""
    found = codec.scan(data, 0) if data else None
    frame = found.frame if isinstance(found, Found) else None
    if frame is None or frame.command != codec.ISO_HOST or not frame.payload[1:]:
        return True
    return not frame.payload[1] & codec.MORE


def _frame(frame: codec.Frame, payload: bytes) -> bytes | None:
    try:
        return codec.encode(msgspec.structs.replace(frame, payload=payload))
    except ValueError:
        return None


def _inventory(tags: Sequence[str], kinds: dict[str, codec.Tag]) -> bytes:
    """An inventory's data. Those of which the kind is not known here are ISO 15693."""
    out = bytes((len(tags),))
    for name in tags:
        uid = bytes.fromhex(name)
        tag = kinds.get(name)
        kind = tag.type if tag else _kind(uid)
        if kind == codec.ISO14443A:
            out += bytes((kind, 0x04 if len(uid) == 10 else 0x00, 0x00)) + uid.rjust(7, b"\0")
        elif kind == codec.ISO14443B:
            out += bytes((kind, 0x00)) + uid
        else:
            out += bytes((kind, 0x00)) + uid
    return out


def _kind(uid: bytes) -> int:
    if len(uid) == 8:
        return codec.ISO15693 if uid[0] == 0xE0 else codec.ISO14443B
    return codec.ISO14443A
