"""YRM100 frames in words (M100 protocol manual)."""

from __future__ import annotations

from firmware_bridge.decode.meaning import Fact, Meaning, MeaningError, Part
from firmware_bridge.readers.yrm100 import codec
from firmware_bridge.readers.yrm100.codec import Frame, Type

NAMES = {
    0x03: "module information",
    0x07: "set region",
    0x0C: "select",
    0x11: "set baud rate",
    0x22: "single poll",
    0x27: "multiple poll",
    0x28: "stop multiple poll",
    0x39: "read tag data",
    0x49: "write tag data",
    0xB6: "set transmit power",
    0xB7: "get transmit power",
    0xFF: "failed",
}
ERRORS = {
    0x09: "read failed",
    0x10: "write failed",
    0x15: "no tag",
    0x16: "access failed",
    0x17: "unknown command",
    0x20: "channel access failed",
}


def explain(frame: Frame, _raw: bytes) -> Meaning:
    """Return what a frame means. Raises MeaningError."""
    name = NAMES.get(frame.command, f"command {frame.command:02X}")
    head = [
        Part(1, "start"),
        Part(1, f"type: {frame.type.name.lower()}"),
        Part(1, name),
        Part(2, f"{len(frame.data)} bytes of data"),
    ]
    tail = [Part(1, "checksum, right"), Part(1, "end")]
    facts: dict[str, Fact] = {"command": name}
    if frame.type is Type.NOTICE and frame.command == codec.POLL:
        return _read(frame, head, tail, facts)
    if frame.type is Type.REPLY and frame.command == codec.FAILED and frame.data:
        code = frame.data[0]
        words = ERRORS.get(code, "unknown error")
        facts |= {"error": f"{code:02x}", "error_text": words}
        more = [Part(len(frame.data) - 1, "of which tag")] if frame.data[1:] else []
        return Meaning("error", [*head, Part(1, words), *more, *tail], facts=facts)
    facts["data"] = frame.data.hex().upper()
    data = [Part(len(frame.data), "data")] if frame.data else []
    return Meaning(frame.type.name.lower(), [*head, *data, *tail], facts=facts)


def _read(frame: Frame, head: list[Part], tail: list[Part], facts: dict[str, Fact]) -> Meaning:
    found = codec.read(frame.data)
    if found is None:
        raise MeaningError("the EPC is not as long as its PC says")
    facts |= {"rssi_dbm": found.rssi_dbm, "epc": found.epc, "epc_crc_right": found.intact}
    parts = [
        Part(1, f"{found.rssi_dbm} dBm"),
        Part(2, f"PC {found.pc:04X}"),
        Part(len(found.epc) // 2, f"EPC {found.epc}"),
        Part(2, "the tag's CRC, " + ("right" if found.intact else "wrong: a bad read")),
    ]
    return Meaning("notice", [*head, *parts, *tail], (found.epc,), facts)
