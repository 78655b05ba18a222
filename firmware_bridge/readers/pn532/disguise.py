"""PN532 frames with other UIDs in them (see `firmware_bridge.disguise`)."""

from __future__ import annotations

from collections.abc import Sequence

from firmware_bridge.decode.stream import Found
from firmware_bridge.disguise import Name, filled, named
from firmware_bridge.readers.pn532 import codec

HARMLESS = (
    codec.GET_FIRMWARE_VERSION,
    codec.SAM_CONFIGURATION,
    codec.RF_CONFIGURATION,
    codec.IN_LIST_PASSIVE_TARGET,
)
LONGEST_HARMLESS = 4


def disguise(raw: bytes, name: Name) -> bytes | None:
    """See `family.Family`."""
    found = codec.scan(raw, 0)
    if not isinstance(found, Found):
        return None
    frame = found.frame
    if frame is None or frame.kind in (codec.Kind.ACK, codec.Kind.NAK):
        return raw
    size = len(frame.data)
    if frame.kind is codec.Kind.ERROR:
        return raw if not size else None
    response = frame.kind is codec.Kind.RESPONSE
    if response and frame.code == codec.IN_LIST_PASSIVE_TARGET + 1:
        targets = codec.targets(frame.data)
        data = filled(size) if targets is None else _targets([t.uid for t in targets], name)
    elif frame.code - response in HARMLESS and size <= LONGEST_HARMLESS:
        data = frame.data
    else:
        data = filled(size)
    return codec.encode(frame.code, data, response=response)


def _targets(tags: Sequence[str], name: Name) -> bytes:
    out = bytes((len(tags),))
    for number, tag in enumerate(named(tags, name), 1):
        uid = bytes.fromhex(tag)
        out += bytes((number, 0x00, 0x04 if len(uid) == 4 else 0x44, 0x00, len(uid))) + uid
    return out
