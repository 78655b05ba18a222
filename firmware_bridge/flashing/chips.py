"""The microcontrollers that the firmware is for, as their boot ROMs and UF2 files name them.

`family` is from the SDK's boot/uf2.h (RP2040_FAMILY_ID, RP2350_ARM_S_FAMILY_ID). The drive's label
is in the RP2040 data sheet, *The RPI-RP2 Drive*; `board_id`, and the label of the RP2350, are as
others read them off real boards (INFO_UF2.TXT).
"""

from __future__ import annotations

from msgspec import Struct

FLASH = 0x10000000
"""Where the flash begins in the address space (XIP_BASE in both data sheets' address maps)."""


class Chip(Struct, frozen=True):
    """`board` is MicroPython's name of the board whose build runs on every Pico with this chip, a
    radio or not; `sdk_boards` are the SDK's names of them, `called` what people call them."""

    board: str
    called: str
    family: int
    board_id: str
    label: str
    sdk_boards: tuple[str, ...]


CHIPS = (
    Chip("RPI_PICO", "Pico", 0xE48BFF56, "RPI-RP2", "RPI-RP2", ("pico", "pico_w")),
    Chip("RPI_PICO2", "Pico 2", 0xE48BFF59, "RP2350", "RP2350", ("pico2", "pico2_w")),
)
BY_BOARD = {chip.board: chip for chip in CHIPS}
BY_FAMILY = {chip.family: chip for chip in CHIPS}
BY_ID = {chip.board_id: chip for chip in CHIPS}
