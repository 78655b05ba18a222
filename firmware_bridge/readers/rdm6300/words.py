"""RDM6300 frames in words."""

from __future__ import annotations

from firmware_bridge.decode.meaning import Meaning, Part
from firmware_bridge.readers.rdm6300.codec import Frame


def explain(frame: Frame, _raw: bytes) -> Meaning:
    """Return what a frame means."""
    parts = [
        Part(1, "start"),
        Part(2, f"version {frame.version:02X}"),
        Part(8, f"number {frame.number}, as printed: {frame.number:010}"),
        Part(2, "checksum, right"),
        Part(1, "end"),
    ]
    return Meaning("tag", parts, (frame.uid,), {"version": frame.version, "id": frame.number})
