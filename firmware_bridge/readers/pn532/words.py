"""PN532 frames in words. Names and layouts: PN532 User Manual UM0701-02, 7."""

from __future__ import annotations

from firmware_bridge.decode.meaning import Fact, Meaning, MeaningError, Part
from firmware_bridge.readers.pn532 import codec
from firmware_bridge.readers.pn532.codec import Frame, Kind

NAMES = {
    0x00: "Diagnose",
    0x02: "GetFirmwareVersion",
    0x04: "GetGeneralStatus",
    0x06: "ReadRegister",
    0x08: "WriteRegister",
    0x0C: "ReadGPIO",
    0x0E: "WriteGPIO",
    0x10: "SetSerialBaudRate",
    0x12: "SetParameters",
    0x14: "SAMConfiguration",
    0x16: "PowerDown",
    0x32: "RFConfiguration",
    0x40: "InDataExchange",
    0x42: "InCommunicateThru",
    0x44: "InDeselect",
    0x46: "InJumpForPSL",
    0x4A: "InListPassiveTarget",
    0x4E: "InPSL",
    0x50: "InATR",
    0x52: "InRelease",
    0x54: "InSelect",
    0x56: "InJumpForDEP",
    0x58: "RFRegulationTest",
    0x60: "InAutoPoll",
}


def explain(frame: Frame, raw: bytes) -> Meaning:
    """Return what a frame means. Raises MeaningError."""
    start = raw.index(b"\x00\xff")
    head = [Part(start, "preamble")] if start else []
    head.append(Part(2, "start code"))
    if frame.kind in {Kind.ACK, Kind.NAK}:
        return Meaning(
            frame.kind.value, [*head, Part(2, frame.kind.value.upper()), Part(1, "postamble")]
        )
    size = len(raw) - start
    if raw[start + 2 : start + 4] == b"\xff\xff":
        head += [Part(2, "extended frame"), Part(2, f"length {size - 9}"), Part(1, "LCS, right")]
    else:
        head += [Part(1, f"length {size - 6}"), Part(1, "LCS, right")]
    tail = [Part(1, "DCS, right"), Part(1, "postamble")]
    if frame.kind is Kind.ERROR:
        rest = [Part(len(frame.data), "data")] if frame.data else []
        parts = [*head, Part(1, "error: the chip did not understand"), *rest, *tail]
        return Meaning("error", parts, facts={"error": "0x7f"})
    answer = frame.kind is Kind.RESPONSE
    name = NAMES.get(frame.code - answer, f"command {frame.code - answer:02X}")
    head += [
        Part(1, "from the reader" if answer else "from the host"),
        Part(1, name + (", its response" if answer else "")),
    ]
    facts: dict[str, Fact] = {"command": name}
    if answer and frame.code - 1 == codec.GET_FIRMWARE_VERSION:
        return _version(frame, head, tail, facts)
    if answer and frame.code - 1 == codec.IN_LIST_PASSIVE_TARGET:
        return _targets(frame, head, tail, facts)
    data = [Part(len(frame.data), "data")] if frame.data else []
    facts["data"] = frame.data.hex().upper()
    return Meaning(frame.kind.value, [*head, *data, *tail], facts=facts)


def quiet(raw: bytes) -> Meaning | None:
    """What wakes the chip before a frame; zeros alone mean nothing."""
    return Meaning("wake-up", [Part(len(raw), "wake-up")]) if raw[:1] == b"\x55" else None


def _version(frame: Frame, head: list[Part], tail: list[Part], facts: dict[str, Fact]) -> Meaning:
    version = codec.firmware_version(frame.data)
    if version is None:
        raise MeaningError("a firmware version has four bytes")
    facts |= {
        "ic": f"{version.ic:02x}",
        "ver": version.version,
        "rev": version.revision,
        "support": version.support,
    }
    parts = [
        Part(1, f"chip PN5{version.ic:02X}"),
        Part(1, f"version {version.version}"),
        Part(1, f"revision {version.revision}"),
        Part(1, f"supports {version.support:#04x}"),
    ]
    return Meaning(frame.kind.value, [*head, *parts, *tail], facts=facts)


def _targets(frame: Frame, head: list[Part], tail: list[Part], facts: dict[str, Fact]) -> Meaning:
    found = codec.targets(frame.data)
    if found is None:
        raise MeaningError("its targets fit no 106 kbps type A layout")
    parts = [Part(1, f"{len(found)} targets")]
    listed: list[dict[str, int | str]] = []
    for target in found:
        size = len(target.uid) // 2
        parts += [
            Part(1, f"target {target.number}"),
            Part(2, f"SENS_RES {target.sens_res:04X}"),
            Part(1, f"SEL_RES {target.sel_res:02X}"),
            Part(1, f"UID of {size} bytes"),
            Part(size, f"UID {target.uid}"),
        ]
        if target.ats:
            parts.append(Part(len(target.ats), "ATS"))
        listed.append({"uid": target.uid, "sel_res": target.sel_res})
    facts["targets"] = listed
    uids = tuple(target.uid for target in found)
    return Meaning(frame.kind.value, [*head, *parts, *tail], uids, facts)
