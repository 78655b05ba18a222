"""RDM6300 frames with other UIDs in them (see `firmware_bridge.disguise`)."""

from __future__ import annotations

from firmware_bridge.decode.stream import Found
from firmware_bridge.disguise import Name
from firmware_bridge.readers.rdm6300 import codec


def disguise(raw: bytes, name: Name) -> bytes | None:
    """See `family.Family`."""
    found = codec.scan(raw, 0)
    if not isinstance(found, Found) or found.frame is None:
        return None
    uid = bytes.fromhex(name(found.frame.uid, ()))
    return codec.encode(uid[0], int.from_bytes(uid[1:], "big"))
