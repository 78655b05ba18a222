"""A UF2 file that says of itself what MicroPython's builds for a Pico say, and does nothing.

Written from the SDK's boot/uf2.h, pico/binary_info/defs.h and structure.h.
"""

from __future__ import annotations

import struct

FLASH = 0x10000000
RAM = 0x20000000
PICO, PICO_2 = 0xE48BFF56, 0xE48BFF59
STORAGE = (0x100A0000, 1408 * 1024)
"""ports/rp2/boards/RPI_PICO/mpconfigboard.h of MicroPython 1.25: the last 1408 KiB of 2 MiB."""

_TABLE, _ENTRIES, _TEXTS, _COPIED = 0x400, 0x500, 0x600, 0x800


def binary(
    *,
    name: str = "MicroPython",
    version: str = "v1.25.0",
    board: str = "pico",
    description: str = "",
    storage: tuple[int, int] | None = STORAGE,
    header_at: int = 0x1D8,
) -> bytes:
    """4 KiB of flash; the version's text is among what the start copies to RAM."""
    flash = bytearray(4096)
    texts, entries, pointers = _TEXTS, _ENTRIES, []
    for key, text in (
        (0x02031C86, name),
        (0x11A9BC3A, version),
        (0xB63CFFBB, board),
        (0xB6A07C19, description),
    ):
        if not text:
            continue
        raw = text.encode() + b"\0"
        if key == 0x11A9BC3A:
            flash[_COPIED : _COPIED + len(raw)] = raw
            at = RAM
        else:
            flash[texts : texts + len(raw)] = raw
            at, texts = FLASH + texts, texts + len(raw)
        struct.pack_into("<HHII", flash, entries, 6, 0x5052, key, at)
        pointers.append(FLASH + entries)
        entries += 12
    struct.pack_into("<HHi", flash, entries, 5, 0x5052, 7)  # a number: nothing of ours
    pointers.append(FLASH + entries)
    entries += 12
    if storage is not None:
        address, size = storage
        struct.pack_into("<HHIIIIH", flash, entries, 7, 0x504D, 0, address, size, 0, 3)
        pointers.append(FLASH + entries)
    struct.pack_into(f"<{len(pointers)}I", flash, _TABLE, *pointers)
    mapping = 0x900
    struct.pack_into("<4I", flash, mapping, FLASH + _COPIED, RAM, RAM + 64, 0)
    ends = FLASH + _TABLE + 4 * len(pointers)
    header = (0x7188EBF2, FLASH + _TABLE, ends, FLASH + mapping, 0xE71AA390)
    struct.pack_into("<5I", flash, header_at, *header)
    return bytes(flash)


def uf2(data: bytes, family: int = PICO, address: int = FLASH) -> bytes:
    """The file, by boot/uf2.h."""
    count = len(data) // 256
    return b"".join(
        block(address + 256 * n, data[256 * n : 256 * n + 256], n, count, family)
        for n in range(count)
    )


def block(address: int, page: bytes, number: int, count: int, family: int = PICO) -> bytes:
    """One block of 512 bytes."""
    head = (0x0A324655, 0x9E5D5157, 0x2000, address, len(page), number, count, family)
    return struct.pack("<8I", *head) + page.ljust(476, b"\0") + struct.pack("<I", 0x0AB16F30)
