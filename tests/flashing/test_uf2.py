"""UF2 files, by the SDK's boot/uf2.h."""

from __future__ import annotations

import struct

import pytest

from firmware_bridge.flashing import uf2
from firmware_bridge.flashing.uf2 import Uf2, Uf2Error
from tests.flashing import image

E10 = bytes.fromhex(
    "55 46 32 0a 57 51 5d 9e 00 a0 00 00 00 ff ff 1000 01 00 00 00 00 00 00 02 00 00 00 57 ff 8b e4"
)
"""The first 32 bytes of RPI_PICO2-20250415-v1.25.0.uf2, as published (a hexdump in a comment of
code that writes UF2 files for a Pico 2): a block of the family *absolute* at 0x10ffff00."""


def test_a_file_is_read() -> None:
    data = bytes(range(256)) + b"\x55" * 256
    found = uf2.decode(image.uf2(data))
    assert found == Uf2(image.PICO, {0x10000000: data[:256], 0x10000100: data[256:]})
    assert found.read(0x100000FE, 4) == b"\xfe\xff\x55\x55"
    with pytest.raises(Uf2Error, match="nothing at address 0x10000200"):
        found.read(0x100001FE, 4)


def test_what_is_written_has_whole_sectors_in_order_and_the_right_count() -> None:
    data = uf2.encode(Uf2(image.PICO_2, {0x10005000: b"b" * 256, 0x10001200: b"a" * 256}))
    assert len(data) == 2 * 16 * 512
    for number in range(32):
        raw = data[512 * number : 512 * number + 512]
        head = struct.unpack_from("<8I", raw)
        address = (0x10001000 if number < 16 else 0x10005000) + number % 16 * 256
        assert head == (
            *(0x0A324655, 0x9E5D5157, 0x2000),
            *(address, 256, number, 32, image.PICO_2),
        )
        filling = {0x10001200: b"a", 0x10005000: b"b"}.get(address, b"\xff")
        assert raw[32:288] == filling * 256
        assert raw[288:508] == bytes(220)
        assert raw[508:] == struct.pack("<I", 0x0AB16F30)


def test_the_block_against_an_erratum_stays_in_front() -> None:
    prelude = E10 + bytes(476) + struct.pack("<I", 0x0AB16F30)
    found = uf2.decode(prelude + image.uf2(bytes(4096), image.PICO_2))
    assert found.family == image.PICO_2
    assert len(found.pages) == 16
    again = uf2.encode(found)
    assert again[:512] == prelude
    assert uf2.decode(again) == found


def _changed(at: int, value: int) -> bytes:
    data = bytearray(image.uf2(bytes(512)))
    struct.pack_into("<I", data, at, value)
    return bytes(data)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "0 bytes are not whole blocks"),
        (image.uf2(bytes(512))[:-1], "cut short"),
        (image.uf2(bytes(512))[:-512], "says that it is 0 of 2, not of 1"),
        (image.uf2(bytes(512))[512:], "says that it is 1 of 2, not of 1"),
        (_changed(0, 0), "block 0 has not the marks"),
        (_changed(1020, 0), "block 1 has not the marks"),
        (_changed(8, 0), "block 0 is not for the flash"),
        (_changed(8, 0x2001), "block 0 is not for the flash"),
        (_changed(512 + 28, image.PICO_2), "block 1 is for another chip"),
        (_changed(512 + 12, image.FLASH), "block 1 is for address 0x10000000, as one before"),
        (_changed(12, 0x10000010), "no page of 256"),
        (_changed(16, 128), "no page of 256"),
    ],
)
def test_what_is_no_such_file_is_refused(data: bytes, said: str) -> None:
    with pytest.raises(Uf2Error, match=said):
        uf2.decode(data)


def test_what_is_added_may_not_share_a_sector_with_the_firmware() -> None:
    given = uf2.decode(image.uf2(bytes(4096)))
    joined = uf2.joined(given, {0x10001000: bytes(256)})
    assert len(joined.pages) == 17
    with pytest.raises(Uf2Error, match="the firmware reaches to 0x10000f00"):
        uf2.joined(given, {0x10000F00: bytes(256)})
