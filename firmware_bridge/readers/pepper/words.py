"""Pepper C1 frames in words. Where the sources are is told in `codec`; what no page that has been
seen tells is called unverified here too."""

from __future__ import annotations

from firmware_bridge.decode.meaning import Fact, Meaning, MeaningError, Part
from firmware_bridge.readers.pepper import codec
from firmware_bridge.readers.pepper.codec import Frame

NAMES = {
    0x01: "dummy",
    codec.GET_TAG_COUNT: "get tag count",
    codec.GET_TAG_UID: "get tag UID",
    0x04: "activate tag",
    codec.HALT: "halt",
    codec.SET_POLLING: "set polling",
    0x07: "set key",
    0x08: "save keys",
    0x09: "set network",
    0x0A: "reboot",
    codec.GET_VERSION: "get version",
    0x0C: "UART pass-through",
    codec.SET_ANTENNA: "set active antenna",
    codec.INVENTORY_START: "inventory start",
    codec.INVENTORY_NEXT: "inventory next",
    0x92: "stay quiet",
    0x93: "read block",
    0x94: "write block",
}


def explain(frame: Frame, raw: bytes) -> Meaning:
    """Return what a frame means. Raises MeaningError."""
    head = [
        Part(1, "start"),
        Part(2, f"length {len(raw) - 5}"),
        Part(2, "its complement, right"),
    ]
    tail = [Part(2, "CRC, right")]
    if frame.kind == codec.ACK and frame.body:
        return _done(frame, head, tail)
    if frame.kind == codec.ERROR:
        return _error(frame, head, tail)
    data = [Part(len(frame.body), "data")] if frame.body else []
    facts: dict[str, Fact] = {"data": frame.body.hex().upper()}
    if frame.kind == codec.ASYNC:
        parts = [*head, Part(1, "unasked: what it reads on its own"), *data, *tail]
        return Meaning("event", parts, facts=facts)
    facts = {"command": name(frame.kind), **facts}
    if frame.kind == codec.SET_ANTENNA and len(frame.body) == 1:
        facts["antenna"] = frame.body[0]
        data = [Part(1, f"antenna {frame.body[0]}")]
    if frame.kind in {codec.INVENTORY_START, codec.INVENTORY_NEXT} and len(frame.body) == 1:
        data = [Part(1, f"AFI {frame.body[0]:02X}")]
    return Meaning("request", [*head, Part(1, name(frame.kind)), *data, *tail], facts=facts)


def name(command: int) -> str:
    """Return what a command is called, and whether that is from a document."""
    known = NAMES.get(command, f"command {command:02X}")
    return f"{known} (unverified)" if command in codec.UNVERIFIED else known


def _done(frame: Frame, head: list[Part], tail: list[Part]) -> Meaning:
    command, data = frame.body[0], frame.body[1:]
    head = [*head, Part(1, "done"), Part(1, name(command))]
    facts: dict[str, Fact] = {"command": name(command)}
    if command in {codec.INVENTORY_START, codec.INVENTORY_NEXT}:
        read = codec.tag(frame)
        if read is None:
            raise MeaningError("its tag fits no known layout")
        facts |= {"uid": read.uid, "dsfid": read.dsfid, "more": read.more}
        parts = [
            Part(8, f"UID {read.uid}, last byte first"),
            Part(1, f"DSFID {read.dsfid:02X}"),
            Part(1, "more tags" if read.more else "no more tags"),
        ]
        return Meaning("reply", [*head, *parts, *tail], (read.uid,), facts)
    if command == codec.GET_TAG_COUNT and len(data) == 1:
        facts["count"] = data[0]
        return Meaning("reply", [*head, Part(1, f"{data[0]} tags"), *tail], facts=facts)
    if command == codec.GET_TAG_UID and len(data) > 2:
        # In which order its bytes come is told nowhere for this command.
        facts |= {"type": data[0], "parameter": data[1]}
        parts = [
            Part(1, f"tag type {data[0]:02X}"),
            Part(1, f"SAK or DSFID {data[1]:02X}"),
            Part(len(data) - 2, "UID"),
        ]
        facts["data"] = data[2:].hex().upper()
        return Meaning("reply", [*head, *parts, *tail], facts=facts)
    if command == codec.GET_VERSION:
        facts["version"] = data.decode("ascii", "replace").rstrip("\0")
        rest = [Part(len(data), "version, as text")] if data else []
        return Meaning("reply", [*head, *rest, *tail], facts=facts)
    facts["data"] = data.hex().upper()
    rest = [Part(len(data), "data")] if data else []
    return Meaning("reply", [*head, *rest, *tail], facts=facts)


def _error(frame: Frame, head: list[Part], tail: list[Part]) -> Meaning:
    failed = codec.failure(frame)
    if failed is None or not frame.body:
        return Meaning("repeat", [*head, Part(1, "say it again"), *tail])
    words = codec.ERRORS.get(failed.number, "unknown error")
    facts: dict[str, Fact] = {
        "command": name(failed.command),
        "layer": failed.layer,
        "error": failed.number,
        "error_text": words,
    }
    said = [name(failed.command), f"layer {failed.layer:02X}", f"{failed.number:02X}: {words}"]
    parts = [Part(1, text) for text in said[: len(frame.body)]]
    more = [Part(len(frame.body) - 3, "data")] if len(frame.body) > 3 else []
    return Meaning("error", [*head, Part(1, "error"), *parts, *more, *tail], facts=facts)
