"""The file system of a Pico as it lies in flash: littlefs 2, as MicroPython's rp2 port mounts it.

ports/rp2/modules/_boot.py mounts `rp2.Flash()` with a program size of 256, and rp2_flash.c has
blocks of 4096 bytes, a sector each. The version on disk is 2.0, which every MicroPython since
1.13 reads.
"""

from __future__ import annotations

from collections.abc import Mapping

import littlefs
from littlefs.context import UserContext

from firmware_bridge.flashing.uf2 import SECTOR, Uf2, Uf2Error, pages

PROGRAM = 256
_DISK_VERSION = 0x00020000


class _Flash(UserContext):
    """A flash that remembers which of its sectors were looked at or written."""

    def __init__(self, size: int, data: Mapping[int, bytes] | None = None) -> None:
        super().__init__(0)
        self._data = bytearray(b"\xff" * size)
        self.touched: set[int] = set()
        for address, page in (data or {}).items():
            self._data[address : address + len(page)] = page

    def read(self, _config: object, block: int, offset: int, size: int) -> bytearray:
        self.touched.add(block)
        at = block * SECTOR + offset
        return self._data[at : at + size]

    def prog(self, _config: object, block: int, offset: int, data: bytes) -> int:
        self.touched.add(block)
        at = block * SECTOR + offset
        self._data[at : at + len(data)] = data
        return 0

    def erase(self, _config: object, block: int) -> int:
        self.touched.add(block)
        self._data[block * SECTOR : (block + 1) * SECTOR] = b"\xff" * SECTOR
        return 0

    def sync(self, _config: object) -> int:
        return 0

    def sector(self, block: int) -> bytes:
        return bytes(self._data[block * SECTOR : (block + 1) * SECTOR])


def build(files: Mapping[str, bytes], address: int, size: int) -> dict[int, bytes]:
    """The pages of a file system with these files and no others, for a region of flash.

    Only sectors that belong to it are there: both halves of every pair of metadata, also where
    one has not been written yet, so that nothing that was in flash before is taken for a newer
    half. Raises Uf2Error if the files do not fit.
    """
    flash = _Flash(size)
    try:
        system = _mounted(flash, size, fresh=True)
        for name, data in sorted(files.items()):
            with system.open(name, "wb") as file:
                file.write(data)
        system.unmount()
        read_all(_mounted(flash, size))
    except littlefs.LittleFSError as error:
        raise Uf2Error(f"the files do not fit into {size} bytes of flash: {error}") from None
    return {
        at: page
        for block in sorted(flash.touched)
        for at, page in pages(flash.sector(block), address + block * SECTOR).items()
    }


def files(image: Uf2, address: int, size: int) -> dict[str, bytes]:
    """The files that a Pico finds in that region after an image was written to an empty flash."""
    there = {at - address: page for at, page in image.pages.items() if 0 <= at - address < size}
    return read_all(_mounted(_Flash(size, there), size))


def read_all(system: littlefs.LittleFS) -> dict[str, bytes]:
    """Every file of the file system, by its path without the first slash."""
    found: dict[str, bytes] = {}
    for folder, _, names in system.walk("/"):
        for name in names:
            path = f"{folder.rstrip('/')}/{name}"
            with system.open(path, "rb") as file:
                found[path.removeprefix("/")] = file.read()
    return found


def _mounted(flash: _Flash, size: int, *, fresh: bool = False) -> littlefs.LittleFS:
    system = littlefs.LittleFS(
        context=flash,
        mount=False,
        block_size=SECTOR,
        block_count=size // SECTOR,
        read_size=PROGRAM,
        prog_size=PROGRAM,
        cache_size=4 * PROGRAM,
        lookahead_size=32,
        disk_version=_DISK_VERSION,
    )
    if fresh:
        system.format()
    system.mount()
    return system
