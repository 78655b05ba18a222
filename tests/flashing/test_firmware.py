"""One UF2 file for a board."""

from __future__ import annotations

import pytest

from firmware_bridge.flashing import firmware, uf2
from firmware_bridge.flashing.chips import CHIPS
from firmware_bridge.flashing.firmware import MARK, base, digest, for_board, sources
from firmware_bridge.flashing.uf2 import Uf2Error
from firmware_bridge.pico import SHIPPED
from tests.flashing import image

WIRING = SHIPPED.read_text("utf-8")
HERE = MARK + digest(sources())


def test_the_sources_are_all_of_the_firmware_and_main_is_last() -> None:
    found = sources()
    there = {path.name for path in SHIPPED.parent.glob("*.py")} - {"__init__.py", "wiring.py"}
    assert found.keys() == there
    assert list(found)[-1] == "main.py"
    assert digest(found) == digest(dict(reversed(found.items())))
    assert digest(found) != digest({**found, "main.py": found["main.py"] + b" "})


def test_with_micropython_as_it_is_given_away_all_files_are_there() -> None:
    given = base(image.uf2(image.binary()))
    assert not given.frozen
    data = for_board(given, WIRING)
    assert firmware.files_in(data, given.storage) == {**sources(), "wiring.py": WIRING.encode()}
    made = uf2.decode(data)
    assert {at: page for at, page in made.pages.items() if at < image.STORAGE[0]} == (
        given.image.pages
    )
    assert max(made.pages) < image.STORAGE[0] + image.STORAGE[1]
    assert data == for_board(base(image.uf2(image.binary())), WIRING)


def test_with_our_firmware_in_it_only_the_wiring_is_in_the_file_system() -> None:
    given = base(image.uf2(image.binary(description=HERE)))
    assert given.frozen
    assert firmware.files_in(for_board(given, WIRING), given.storage) == {
        "wiring.py": WIRING.encode()
    }


def test_for_a_pico_2_too() -> None:
    storage = (0x10100000, 3 << 20)  # RPI_PICO2: 4 MiB less 1024 KiB
    given = base(
        image.uf2(image.binary(board="pico2_w", version="1.29.0", storage=storage), image.PICO_2)
    )
    assert given.chip is CHIPS[1]
    assert set(firmware.files_in(for_board(given, WIRING), storage)) == {*sources(), "wiring.py"}


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (image.uf2(image.binary(), 0xE48BFF5A), "family 0xe48bff5a: neither a Pico nor a Pico 2"),
        (image.uf2(image.binary(name="blink")), "it is 'blink', not MicroPython"),
        (image.uf2(image.binary(version="v1.22.2")), "v1.22.2; 1.23 or newer"),
        (image.uf2(image.binary(storage=None)), "does not say where its file system is"),
        (image.uf2(image.binary(board="pico2")), "for the board 'pico2', not for a Pico"),
        (image.uf2(image.binary(description=MARK + "0" * 16)), "not the one here"),
    ],
)
def test_what_our_firmware_does_not_run_with_is_refused(data: bytes, said: str) -> None:
    with pytest.raises(Uf2Error, match=said):
        base(data)


def test_a_firmware_that_reaches_into_its_file_system_is_refused() -> None:
    given = base(image.uf2(image.binary(storage=(0x10000000, 1 << 20))))
    with pytest.raises(Uf2Error, match="the firmware reaches to"):
        for_board(given, WIRING)
