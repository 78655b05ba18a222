"""Frames with other UIDs in them: every protocol of the bridge. Pure.

Only what is known to say nothing of a tag is left as it is. Bytes of an intact frame that are not
understood here become FF, which means nothing either where they stand; signal strengths, data
formats and the order of tags are evened out, since a tag could be known by them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from firmware_bridge.driver import Device
from firmware_bridge.link import frames as link_frames
from firmware_bridge.link import messages
from firmware_bridge.link.frames import Frame
from firmware_bridge.link.messages import Hello, Zone
from firmware_bridge.readers.feig import codec as feig
from firmware_bridge.readers.pn532 import codec as pn532
from firmware_bridge.readers.rdm6300 import codec as rdm6300
from firmware_bridge.readers.stream import Found
from firmware_bridge.readers.yrm100 import codec as yrm100

Name = Callable[[str, Sequence[str]], str]
"""Gives the other UID of a tag; the tags of its frame are the second argument."""

NOISE: dict[Device, int] = {
    "pico": 0xAA,
    "pn532": 0xAA,
    "feig": 0x00,
    "rdm6300": 0xFF,
    "yrm100": 0xFF,
}
"""A byte that means nothing to the driver of a device, however many of it come."""

_PN532_HARMLESS = (
    pn532.GET_FIRMWARE_VERSION,
    pn532.SAM_CONFIGURATION,
    pn532.RF_CONFIGURATION,
    pn532.IN_LIST_PASSIVE_TARGET,
)
_PN532_LONGEST_HARMLESS = 4
_FEIG_HARMLESS = (feig.SOFTWARE_VERSION, feig.RF_RESET)
_FEIG_LONGEST_HARMLESS = 16
_RSSI = 0xC9


def filled(size: int) -> bytes:
    """Return so many bytes that fit no layout of any message."""
    return b"\xff" * size


class Page(msgspec.Struct, frozen=True):
    """One of several frames that hold one set of tags together; `last` if no other follows.

    `key` is the same for all of them. `again` gives the frame with other tags in it, None if
    they do not fit; `index` and `count` are its place among them, where that is known before.
    """

    key: object
    tags: tuple[str, ...]
    last: bool
    again: Callable[[Sequence[str]], bytes | None]
    index: int = 0
    count: int = 0

    def __repr__(self) -> str:
        return f"Page({len(self.tags)} tags)"


def disguise(device: Device, raw: bytes, name: Name, *, zones: int) -> bytes | Page | None:
    """Return an intact frame of a device of so many zones with other UIDs, or what may lie between
    frames as it is; None if there is no such frame."""
    match device:
        case "pico":
            return _link(raw, name)
        case "pn532":
            return _pn532(raw, name)
        case "feig":
            return _feig(raw, name, by_antenna=zones > 1)
        case "rdm6300":
            return _rdm6300(raw, name)
        case "yrm100":
            return _yrm100(raw, name)


def split(device: Device, data: bytes) -> list[bytes | int]:
    """Return the frames in bytes that went to a device, and the number of bytes in no frame."""
    if device == "pico":
        pieces = [piece + b"\0" for piece in data.split(b"\0")[:-1]]
        rest = len(data) - sum(map(len, pieces))
        return [*pieces, *([rest] if rest else [])]
    scan = {"pn532": pn532.scan, "feig": feig.scan, "yrm100": yrm100.scan}.get(device)
    out: list[bytes | int] = []
    at = 0
    while scan is not None and at < len(data):
        found = scan(data, at)
        if isinstance(found, Found):
            out.append(data[at : at + found.size])
            at += found.size
        else:
            out.append(1)
            at += 1
    return out if scan is not None else [len(data)]


def asks_for_more(data: bytes) -> bool:
    """Whether these bytes ask a FEIG reader for the rest of a set."""
    found = feig.scan(data, 0) if data else None
    frame = found.frame if isinstance(found, Found) else None
    return bool(frame and frame.payload[1:2] and frame.payload[1] & feig.MORE)


def _names(tags: Sequence[str], name: Name) -> list[str]:
    return sorted(name(tag, tags) for tag in tags)


# --- the microcontroller link ---


def _link(raw: bytes, name: Name) -> bytes | Page | None:
    if raw == b"\0":
        return raw
    found = link_frames.FrameDecoder().feed(raw)
    if len(found) != 1:
        return None
    [frame] = found
    if frame.version != link_frames.VERSION:
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
    return link_frames.encode(msgspec.structs.replace(frame, payload=payload))


def _zone(frame: Frame, zone: Zone, name: Name) -> bytes | Page | None:
    flags = zone.flags & (messages.ZoneFlag.INCOMPLETE | messages.ZoneFlag.FAILED)

    def again(tags: Sequence[str]) -> bytes | None:
        told = Zone(zone.zone, zone.scan_ticks, tuple(tags), flags, zone.part, zone.parts)
        try:
            return _with_payload(frame, messages.to_frame(told).payload)
        except messages.MessageError:
            return None

    tags = tuple(_names(zone.tags, name))
    if zone.parts == 1:
        return again(tags)
    key = (zone.zone, zone.scan_ticks, zone.parts)
    return Page(key, tags, False, again, zone.part, zone.parts)


# --- readers ---


def _pn532(raw: bytes, name: Name) -> bytes | None:
    found = pn532.scan(raw, 0)
    if not isinstance(found, Found):
        return None
    frame = found.frame
    if frame is None or frame.kind in (pn532.Kind.ACK, pn532.Kind.NAK):
        return raw
    size = len(frame.data)
    if frame.kind is pn532.Kind.ERROR:
        return raw if not size else None
    response = frame.kind is pn532.Kind.RESPONSE
    if response and frame.code == pn532.IN_LIST_PASSIVE_TARGET + 1:
        targets = pn532.targets(frame.data)
        data = filled(size) if targets is None else _targets([t.uid for t in targets], name)
    elif frame.code - response in _PN532_HARMLESS and size <= _PN532_LONGEST_HARMLESS:
        data = frame.data
    else:
        data = filled(size)
    return pn532.encode(frame.code, data, response=response)


def _targets(tags: Sequence[str], name: Name) -> bytes:
    out = bytes((len(tags),))
    for number, tag in enumerate(_names(tags, name), 1):
        uid = bytes.fromhex(tag)
        out += bytes((number, 0x00, 0x04 if len(uid) == 4 else 0x44, 0x00, len(uid))) + uid
    return out


def _feig(raw: bytes, name: Name, *, by_antenna: bool) -> bytes | Page | None:
    found = feig.scan(raw, 0)
    if not isinstance(found, Found) or found.frame is None:
        return None
    frame = found.frame
    payload = frame.payload

    def with_data(data: bytes) -> bytes | None:
        return _feig_frame(frame, payload[:1] + data)

    if frame.address == feig.BROADCAST:
        is_inventory = frame.command == feig.ISO_HOST and len(payload) <= 3
        harmless = is_inventory or (frame.command in _FEIG_HARMLESS and not payload)
        return raw if harmless else _feig_frame(frame, filled(len(payload)))
    if frame.command in _FEIG_HARMLESS and len(payload) <= _FEIG_LONGEST_HARMLESS:
        return raw
    if frame.command != feig.ISO_HOST or not payload:
        return with_data(filled(len(payload[1:])))
    if payload[0] == feig.INVENTORY and len(payload) in (2, 3) and not payload[1] & 0x0F:
        return raw  # a request to a reader by its own address
    read = feig.tags(payload[1:], by_antenna=by_antenna)
    if read is None:
        return with_data(filled(len(payload) - 1))
    kinds = {name(tag.uid, [t.uid for t in read]): tag for tag in read}

    def again(tags: Sequence[str]) -> bytes | None:
        if not tags and not payload[1:]:
            return raw
        return with_data(_inventory(tags, kinds, by_antenna=by_antenna))

    names = tuple(sorted(kinds))
    return Page("inventory", names, payload[0] != feig.MORE_DATA, again)


def _feig_frame(frame: feig.Frame, payload: bytes) -> bytes | None:
    try:
        return feig.encode(msgspec.structs.replace(frame, payload=payload))
    except ValueError:
        return None


def _inventory(tags: Sequence[str], kinds: dict[str, feig.Tag], *, by_antenna: bool) -> bytes:
    """An inventory's data. Those of which the kind is not known here are ISO 15693."""
    out = bytes((len(tags),))
    for name in tags:
        uid = bytes.fromhex(name)
        tag = kinds.get(name)
        kind = tag.type if tag else _kind(uid)
        antennas = tag.antennas if tag else ()
        if by_antenna:
            out += bytes((0x11 if antennas else 0x01,))
        if kind == feig.ISO14443A:
            out += bytes((kind, 0x04 if len(uid) == 10 else 0x00, 0x00)) + uid.rjust(7, b"\0")
        elif kind == feig.ISO14443B:
            out += bytes((kind, 0x00)) + uid
        else:
            out += bytes((kind, 0x00, *([len(uid)] if by_antenna else []))) + uid
        if antennas:
            out += bytes((len(antennas),)) + b"".join(bytes((n, *bytes(6))) for n in antennas)
    return out


def _kind(uid: bytes) -> int:
    if len(uid) == 8:
        return feig.ISO15693 if uid[0] == 0xE0 else feig.ISO14443B
    return feig.ISO14443A


def _rdm6300(raw: bytes, name: Name) -> bytes | None:
    found = rdm6300.scan(raw, 0)
    if not isinstance(found, Found) or found.frame is None:
        return None
    uid = bytes.fromhex(name(found.frame.uid, ()))
    return rdm6300.encode(uid[0], int.from_bytes(uid[1:], "big"))


def _yrm100(raw: bytes, name: Name) -> bytes | None:
    found = yrm100.scan(raw, 0)
    if not isinstance(found, Found) or found.frame is None:
        return None
    frame = found.frame
    data = filled(len(frame.data))
    is_reply = frame.type is yrm100.Type.REPLY
    if frame.type is yrm100.Type.NOTICE and frame.command == yrm100.POLL:
        read = yrm100.read(frame.data)
        if read is not None and read.intact:
            epc = bytes.fromhex(name(read.epc, ()))
            word = (len(epc) // 2 << 11).to_bytes(2, "big") + epc
            data = bytes((_RSSI,)) + word + yrm100.epc_crc(word).to_bytes(2, "big")
    elif is_reply and frame.command == yrm100.FAILED:
        data = frame.data[:1] + data[1:]
    elif frame.command == yrm100.VERSION or (
        frame.type is yrm100.Type.COMMAND and frame.command == yrm100.POLL
    ):
        data = frame.data
    return yrm100.encode(frame.command, data, frame.type)
