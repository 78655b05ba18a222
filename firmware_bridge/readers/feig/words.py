"""FEIG OBID frames in words (H20800). A frame to address 255 comes from the host, and so does one
without a status; else it is taken for a reply, since nothing in a frame tells its direction."""

from __future__ import annotations

from firmware_bridge.decode.meaning import Fact, Meaning, MeaningError, Part
from firmware_bridge.readers.feig import codec
from firmware_bridge.readers.feig.codec import Frame

NAMES = {
    0x02: "function unit (unverified)",
    0x63: "CPU reset",
    0x65: "software version",
    0x66: "reader info",
    0x69: "RF reset",
    0x6A: "RF on/off",
    0x72: "set output",
    0x80: "read configuration",
    0x81: "write configuration",
    0x82: "save configuration",
    0x83: "set default configuration",
    0xB0: "ISO host command",
}
_SELECTION = len(codec.select_channel(1, 0))


def explain(frame: Frame, raw: bytes) -> Meaning:
    """Return what a frame means. Raises MeaningError."""
    head = [Part(1, "STX")] if frame.extended else []
    name = NAMES.get(frame.command, f"command {frame.command:02X}")
    address = "every reader" if frame.address == codec.BROADCAST else f"reader {frame.address}"
    head += [
        Part(2 if frame.extended else 1, f"length {len(raw)}"),
        Part(1, f"address: {address}"),
        Part(1, name),
    ]
    tail = [Part(2, "CRC, right")]
    facts: dict[str, Fact] = {"address": frame.address, "command": name}
    selects = frame.command == codec.FUNCTION_UNIT and len(frame.payload) == _SELECTION
    if frame.address == codec.BROADCAST or not frame.payload or selects:
        facts["data"] = frame.payload.hex().upper()
        data = [Part(len(frame.payload), "data")] if frame.payload else []
        if frame.command == codec.ISO_HOST and frame.payload[:1] == bytes((codec.INVENTORY,)):
            data = _request(frame.payload)
            facts["command"] = "inventory"
        if selects and frame.payload[0] == codec.SELECT_CHANNEL:
            data = [
                Part(1, "select channel"),
                Part(2, "multiplexer"),
                Part(1, f"output {frame.payload[3]} for input 1"),
                Part(1, f"output {frame.payload[4]} for input 2"),
            ]
            facts["channel"] = frame.payload[3]
        return Meaning("request", [*head, *data, *tail], facts=facts)
    status = frame.payload[0]
    words = codec.STATUS.get(status, "unknown status")
    facts |= {"status": status, "status_text": words}
    head.append(Part(1, f"status {status:02X}: {words}"))
    data_bytes = frame.payload[1:]
    inventory = status in {codec.OK, codec.MORE_DATA} and frame.command == codec.ISO_HOST
    if not inventory or not data_bytes:
        data = [Part(len(data_bytes), "data")] if data_bytes else []
        facts["data"] = data_bytes.hex().upper()
        return Meaning("reply", [*head, *data, *tail], facts=facts)
    return _inventory(data_bytes, head, tail, facts)


def _request(payload: bytes) -> list[Part]:
    parts = [Part(1, "inventory")]
    if len(payload) > 1:
        wants = [
            word
            for bit, word in ((codec.MORE, "more data"), (codec.ANT, "by antenna"))
            if payload[1] & bit
        ]
        parts.append(Part(1, f"mode: {', '.join(wants) or 'new'}"))
    if len(payload) > 2:
        parts.append(Part(len(payload) - 2, "antennas"))
    return parts


def _inventory(data: bytes, head: list[Part], tail: list[Part], facts: dict[str, Fact]) -> Meaning:
    """An inventory's reply. Which of the two layouts it has, only the request would tell."""
    found = codec.tags(data)
    by_antenna = found is None
    if found is None:
        found = codec.tags(data, by_antenna=True)
    if found is None:
        raise MeaningError("its transponders fit no known layout")
    parts = [Part(1, f"{data[0]} transponders")]
    if by_antenna:
        parts += [Part(len(data) - 1, "transponders, with their antennas")]
    else:
        for tag in found:
            parts += _tag(tag)
    listed: list[dict[str, int | str]] = []
    for tag in found:
        of: dict[str, int | str] = {"type": tag.type, "uid": tag.uid}
        if tag.dsfid is not None:
            of["dsfid"] = tag.dsfid
        if tag.antennas:
            of["antennas"] = " ".join(map(str, tag.antennas))
        listed.append(of)
    facts["tags"] = listed
    return Meaning("reply", [*head, *parts, *tail], tuple(tag.uid for tag in found), facts)


def _tag(tag: codec.Tag) -> list[Part]:
    size = len(tag.uid) // 2
    if tag.type == codec.ISO14443A:
        padding = [Part(3, "padding")] if size == 4 else []
        between = [Part(1, "transponder info"), Part(1, "optional info"), *padding]
    elif tag.type == codec.ISO14443B:
        between = [Part(1, "protocol info")]
    else:
        between = [Part(1, f"DSFID {tag.dsfid:02X}")]
    return [Part(1, f"transponder type {tag.type:02X}"), *between, Part(size, f"UID {tag.uid}")]
