"""YRM100 frames with other UIDs in them (see `firmware_bridge.disguise`)."""

from __future__ import annotations

from firmware_bridge.decode.stream import Found
from firmware_bridge.disguise import Name, filled
from firmware_bridge.readers.yrm100 import codec

RSSI = 0xC9


def disguise(raw: bytes, name: Name) -> bytes | None:
    """See `family.Family`."""
    found = codec.scan(raw, 0)
    if not isinstance(found, Found) or found.frame is None:
        return None
    frame = found.frame
    data = filled(len(frame.data))
    is_reply = frame.type is codec.Type.REPLY
    if frame.type is codec.Type.NOTICE and frame.command == codec.POLL:
        read = codec.read(frame.data)
        if read is not None and read.intact:
            epc = bytes.fromhex(name(read.epc, ()))
            word = (len(epc) // 2 << 11).to_bytes(2, "big") + epc
            data = bytes((RSSI,)) + word + codec.epc_crc(word).to_bytes(2, "big")
    elif is_reply and frame.command == codec.FAILED:
        data = frame.data[:1] + data[1:]
    elif frame.command == codec.VERSION or (
        frame.type is codec.Type.COMMAND and frame.command == codec.POLL
    ):
        data = frame.data
    return codec.encode(frame.command, data, frame.type)
