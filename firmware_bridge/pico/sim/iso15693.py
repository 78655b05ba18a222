"""Tags of ISO/IEC 15693-3 as far as an inventory goes: bytes on the air, CRC included."""

from __future__ import annotations

from msgspec import Struct

REPLY_AFTER_S = 0.000321
"""t1, from the end of the request to the answer."""
BIT_S = 1 / 26480
"""High data rate, in both directions."""

_SUBCARRIERS, _HIGH_RATE, _INVENTORY, _AFI, _ONE_SLOT = 0x01, 0x02, 0x04, 0x10, 0x20


def crc(data: bytes) -> bytes:
    """Return the two bytes of CRC-16/X-25 as they go over the air (annex C of the standard)."""
    value = 0xFFFF
    for byte in data:
        value ^= byte
        for _ in range(8):
            value = value >> 1 ^ 0x8408 if value & 1 else value >> 1
    return (value ^ 0xFFFF).to_bytes(2, "little")


class Inventory(Struct, frozen=True):
    """An inventory that tags have understood."""

    slots: int
    mask_bits: int
    mask: int

    def slot_of(self, uid: bytes) -> int | None:
        """Return in which slot the tag with this UID answers, None if in none."""
        number = int.from_bytes(uid, "big")
        if (number ^ self.mask) & ((1 << self.mask_bits) - 1):
            return None
        return number >> self.mask_bits & self.slots - 1


def parse(request: bytes) -> Inventory | None:
    """Return the inventory in a request, None if tags would not answer it at all."""
    body = request[:-2]
    if len(body) < 3 or crc(body) != request[-2:]:
        return None
    flags = body[0]
    if not flags & _INVENTORY or not flags & _HIGH_RATE or flags & _SUBCARRIERS or body[1] != 1:
        return None
    rest = body[3:] if flags & _AFI else body[2:]
    if not rest:
        return None
    bits, mask = rest[0], rest[1:]
    slots = 1 if flags & _ONE_SLOT else 16
    if len(mask) != (bits + 7) // 8 or bits > (64 if slots == 1 else 60):
        return None
    return Inventory(slots, bits, int.from_bytes(mask, "little"))


def answer(uid: bytes) -> bytes:
    """Return what a tag says in its slot: flags, DSFID, UID with its last byte first, CRC."""
    body = bytes(2) + uid[::-1]
    return body + crc(body)
