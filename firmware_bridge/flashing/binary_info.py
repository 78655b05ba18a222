"""What a build for a Pico says of itself: the SDK's binary info, which picotool reads too.

A header in the first half kilobyte leads to a list of pointers to entries, whose layouts are in the
SDK's pico/binary_info/defs.h and structure.h. MicroPython's names there the region of flash that is
its file system (ports/rp2/rp2_flash.c), so no table of boards and versions is needed.
"""

from __future__ import annotations

from struct import Struct as Layout

from msgspec import Struct

from firmware_bridge.flashing.chips import FLASH
from firmware_bridge.flashing.uf2 import PAGE, Uf2, Uf2Error

MOST_ENTRIES = 1024
LONGEST_STRING = 200

_WORD = Layout("<I")
_HEADER = Layout("<5I")
_START, _END = 0x7188EBF2, 0xE71AA390
_WITHIN = 4 * PAGE  # behind RP2040's second stage of 256 bytes; RP2350 has none
_ENTRY = Layout("<HH")
_STRING = Layout("<HHII")
_DEVICE = Layout("<HHIIIIH")
_IS_STRING, _IS_DEVICE = 6, 7
_RASPBERRY, _MICROPYTHON = int.from_bytes(b"RP", "little"), int.from_bytes(b"MP", "little")
_STRINGS = {
    0x02031C86: "name",
    0x11A9BC3A: "version",
    0xB6A07C19: "description",
    0xB63CFFBB: "board",
}


class BinaryInfo(Struct, frozen=True):
    """Strings are empty where it does not say; `storage` is the file system's address and size."""

    name: str = ""
    version: str = ""
    description: str = ""
    board: str = ""
    storage: tuple[int, int] | None = None


def read(image: Uf2) -> BinaryInfo:
    """What the image says of itself. Raises Uf2Error where it has no such header."""
    at, header = _header(image)
    _, first, end, mapping, _ = header
    if not 0 <= end - first <= 4 * MOST_ENTRIES:
        raise Uf2Error(f"its binary info at {at:#x} is not sound")
    moved = _moved(image, mapping)
    found: dict[str, str] = {}
    storage = None
    for place in range(first, end, 4):
        entry = _stored(moved, *_WORD.unpack(image.read(place, 4)))
        kind, tag = _ENTRY.unpack(image.read(entry, _ENTRY.size))
        if kind == _IS_STRING and tag == _RASPBERRY:
            _, _, key, value = _STRING.unpack(image.read(entry, _STRING.size))
            if key in _STRINGS:
                found[_STRINGS[key]] = _text(image, _stored(moved, value))
        elif kind == _IS_DEVICE and tag == _MICROPYTHON:
            *_, address, size, _, _ = _DEVICE.unpack(image.read(entry, _DEVICE.size))
            storage = address, size
    return BinaryInfo(**found, storage=storage)


def _header(image: Uf2) -> tuple[int, tuple[int, ...]]:
    for at in range(FLASH, FLASH + _WITHIN, 4):
        if image.read(at, 4) == _WORD.pack(_START):
            header = _HEADER.unpack(image.read(at, _HEADER.size))
            if header[4] == _END:
                return at, header
    raise Uf2Error("it says nothing of itself: it is no build of MicroPython for a Pico")


def _moved(image: Uf2, table: int) -> list[tuple[int, int, int]]:
    """What is copied from flash to RAM at the start: source, from, to."""
    rows: list[tuple[int, int, int]] = []
    for at in range(table, table + 12 * 16, 12):
        (source,) = _WORD.unpack(image.read(at, 4))
        if not source:
            break
        start, end = (_WORD.unpack(image.read(at + offset, 4))[0] for offset in (4, 8))
        rows.append((source, start, end))
    return rows


def _stored(moved: list[tuple[int, int, int]], address: int) -> int:
    for source, start, end in moved:
        if start <= address < end:
            return source + address - start
    return address


def _text(image: Uf2, address: int) -> str:
    text = b""
    while len(text) < LONGEST_STRING:
        byte = image.read(address + len(text), 1)
        if byte == b"\0":
            break
        text += byte
    return text.decode("ascii", "replace")
