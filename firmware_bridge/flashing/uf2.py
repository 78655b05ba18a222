"""UF2, the file format that a Pico's boot ROM takes: blocks of 512 bytes, 256 of them for flash.

The layout is that of the SDK's boot/uf2.h. A file may begin with one block of another family that
the boot ROM is meant to ignore or to take on its own (picotool writes one against erratum
RP2350-E10); it is kept as it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from struct import Struct as Layout

from msgspec import Struct

BLOCK = 512
PAGE = 256
SECTOR = 4096
"""What flash is erased by: a sector that is begun is written whole."""
LARGEST = 64 << 20
ABSOLUTE = 0xE48BFF57
"""ABSOLUTE_FAMILY_ID: the family of the block against erratum RP2350-E10."""

_HEAD = Layout("<8I")
_TAIL = Layout("<I")
_START0, _START1, _END = 0x0A324655, 0x9E5D5157, 0x0AB16F30
_NOT_FLASH, _HAS_FAMILY = 0x1, 0x2000


class Uf2Error(ValueError):
    """These bytes are no UF2 file that a Pico should be given; says why."""


class Uf2(Struct, frozen=True):
    """What a file writes: pages of 256 bytes by their address. `prelude` is the block in front."""

    family: int
    pages: dict[int, bytes]
    prelude: bytes = b""

    def read(self, address: int, size: int) -> bytes:
        """The bytes there. Raises Uf2Error where the file has none."""
        data = b""
        while len(data) < size:
            at = address + len(data)
            page = self.pages.get(at - at % PAGE)
            if page is None:
                raise Uf2Error(f"there is nothing at address {at:#x}")
            data += page[at % PAGE :]
        return data[:size]


def decode(data: bytes) -> Uf2:
    """What a whole file says: every block there, in order, of one family. Raises Uf2Error."""
    if not data or len(data) % BLOCK:
        raise Uf2Error(f"{len(data)} bytes are not whole blocks of {BLOCK}: it is cut short")
    if len(data) > LARGEST:
        raise Uf2Error(f"{len(data)} bytes are more than a Pico takes")
    blocks = [data[at : at + BLOCK] for at in range(0, len(data), BLOCK)]
    prelude = b""
    if _HEAD.unpack_from(blocks[0])[7] == ABSOLUTE and len(blocks) > 1:
        prelude = blocks.pop(0)
    family = _HEAD.unpack_from(blocks[0])[7]
    pages: dict[int, bytes] = {}
    for number, block in enumerate(blocks):
        start0, start1, flags, address, size, index, count, whose = _HEAD.unpack_from(block)
        where = f"block {number}"
        if (start0, start1, *_TAIL.unpack_from(block, BLOCK - 4)) != (_START0, _START1, _END):
            raise Uf2Error(f"{where} has not the marks of a UF2 block")
        if flags & _NOT_FLASH or not flags & _HAS_FAMILY:
            raise Uf2Error(f"{where} is not for the flash of a known chip")
        if whose != family:
            raise Uf2Error(f"{where} is for another chip than the first: {whose:#010x}")
        if (index, count) != (number, len(blocks)):
            raise Uf2Error(f"{where} says that it is {index} of {count}, not of {len(blocks)}")
        if size != PAGE or address % PAGE:
            raise Uf2Error(f"{where} has {size} bytes for address {address:#x}, no page of {PAGE}")
        if address in pages:
            raise Uf2Error(f"{where} is for address {address:#x}, as one before it")
        pages[address] = block[_HEAD.size : _HEAD.size + PAGE]
    return Uf2(family, pages, prelude)


def encode(image: Uf2) -> bytes:
    """The file: pages by address, and each sector that has one filled up with FF.

    (A boot ROM erases a sector when its first page comes; RP2040-E14 and RP2350's boot ROM want
    sectors whole.)
    """
    sectors = sorted({address - address % SECTOR for address in image.pages})
    addresses = [sector + offset for sector in sectors for offset in range(0, SECTOR, PAGE)]
    parts = [image.prelude]
    for number, address in enumerate(addresses):
        page = image.pages.get(address, b"\xff" * PAGE)
        head = (_START0, _START1, _HAS_FAMILY, address, PAGE, number, len(addresses), image.family)
        body = _HEAD.pack(*head) + page
        parts.append(body + bytes(BLOCK - 4 - len(body)) + _TAIL.pack(_END))
    return b"".join(parts)


def pages(data: bytes, address: int) -> dict[int, bytes]:
    """Bytes that begin at a page's address, as pages; the last is filled up with FF."""
    if address % PAGE:
        raise ValueError(f"{address:#x} is not the address of a page")
    return {
        address + at: data[at : at + PAGE].ljust(PAGE, b"\xff") for at in range(0, len(data), PAGE)
    }


def joined(image: Uf2, more: Mapping[int, bytes]) -> Uf2:
    """The image with more pages. Raises Uf2Error where two share a sector."""
    taken = {address - address % SECTOR for address in image.pages}
    for address in more:
        if address - address % SECTOR in taken:
            raise Uf2Error(f"the firmware reaches to {address:#x}, where its files go")
    return Uf2(image.family, {**image.pages, **more}, image.prelude)
