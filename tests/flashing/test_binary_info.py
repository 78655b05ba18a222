"""What a build says of itself."""

from __future__ import annotations

import pytest

from firmware_bridge.flashing import binary_info, uf2
from firmware_bridge.flashing.binary_info import BinaryInfo
from firmware_bridge.flashing.uf2 import Uf2Error
from tests.flashing import image


@pytest.mark.parametrize("header_at", [0x100, 0x1D8, 0x138])
def test_it_says_what_it_is_and_where_its_file_system_lies(header_at: int) -> None:
    data = image.binary(description="something", header_at=header_at)
    assert binary_info.read(uf2.decode(image.uf2(data))) == BinaryInfo(
        "MicroPython", "v1.25.0", "something", "pico", (0x100A0000, 0x160000)
    )


def test_what_says_nothing_of_itself_is_refused() -> None:
    with pytest.raises(Uf2Error, match="no build of MicroPython"):
        binary_info.read(uf2.decode(image.uf2(bytes(4096))))


def test_a_list_that_leads_out_of_the_file_is_refused() -> None:
    data = bytearray(image.binary())
    data[0x400:0x404] = b"\0\0\0\x30"
    with pytest.raises(Uf2Error, match="nothing at address 0x30000000"):
        binary_info.read(uf2.decode(image.uf2(bytes(data))))
    data[0x1DC:0x1E4] = b"\xff" * 4 + b"\0" * 4
    with pytest.raises(Uf2Error, match="not sound"):
        binary_info.read(uf2.decode(image.uf2(bytes(data))))
