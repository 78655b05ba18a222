"""What a microcontroller gets: MicroPython, our firmware, and the wiring of its board, as one UF2.

MicroPython either has our firmware in it already (frozen, `cutcard pico build`), and says so in its
binary info; or it is as micropython.org gives it away, and our files go into its file system.
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

from msgspec import Struct

from firmware_bridge.flashing import binary_info, file_system, uf2
from firmware_bridge.flashing.binary_info import BinaryInfo
from firmware_bridge.flashing.chips import BY_FAMILY, FLASH, Chip
from firmware_bridge.flashing.uf2 import Uf2, Uf2Error
from firmware_bridge.pico import FOLDER

WIRING = "wiring.py"
MAIN = "main.py"
OLDEST = (1, 23)
"""The first MicroPython that the firmware runs with (docs/pico.md)."""
MARK = "cutcard-pico-"
"""What the description of a build with our firmware in it begins with; then `digest`."""


def sources() -> dict[str, bytes]:
    """The firmware's files by their names, without the wiring; `main.py` last, since it runs."""
    paths = [path for path in FOLDER.glob("*.py") if path.name not in {"__init__.py", WIRING}]
    ordered = sorted(paths, key=lambda path: (path.name == MAIN, path.name))
    return {path.name: path.read_bytes() for path in ordered}


def digest(files: dict[str, bytes]) -> str:
    """Tells one state of the sources from another: 16 hex digits."""
    total = hashlib.sha256()
    for name, data in sorted(files.items()):
        total.update(f"{name} {len(data)}\n".encode() + data)
    return total.hexdigest()[:16]


class Base(Struct, frozen=True):
    """A MicroPython for a Pico: for which, what it says of itself, and its SHA-256."""

    image: Uf2
    chip: Chip
    info: BinaryInfo
    storage: tuple[int, int]
    sha256: str

    @property
    def frozen(self) -> bool:
        """Whether our firmware is in it."""
        return self.info.description.startswith(MARK)


def base(data: bytes) -> Base:
    """What a UF2 file is. Raises Uf2Error where it is no MicroPython that our firmware runs with,
    or has another state of our firmware in it than the one here."""
    image = uf2.decode(data)
    chip = BY_FAMILY.get(image.family)
    if chip is None:
        raise Uf2Error(f"it is for family {image.family:#010x}: neither a Pico nor a Pico 2 on ARM")
    info = binary_info.read(image)
    if info.name != "MicroPython":
        raise Uf2Error(f"it is {info.name or 'something nameless'!r}, not MicroPython")
    if info.storage is None:
        raise Uf2Error("it does not say where its file system is")
    if info.board and info.board not in chip.sdk_boards:
        raise Uf2Error(f"it is for the board {info.board!r}, not for a {chip.called}")
    number = re.match(r"v?(\d+)\.(\d+)", info.version)
    if number is None or (int(number[1]), int(number[2])) < OLDEST:
        oldest = ".".join(map(str, OLDEST))
        raise Uf2Error(f"it is version {info.version or '?'}; {oldest} or newer is needed")
    found = Base(image, chip, info, info.storage, hashlib.sha256(data).hexdigest())
    if found.frozen and info.description != MARK + digest(sources()):
        raise Uf2Error("the firmware in it is not the one here: run `cutcard pico build` again")
    return found


def built(binary: bytes, chip: Chip) -> bytes:
    """The UF2 file of a build's binary, which begins where the flash does."""
    return uf2.encode(Uf2(chip.family, uf2.pages(binary, FLASH)))


def for_board(given: Base, wiring: str) -> bytes:
    """The UF2 file for one board. Raises Uf2Error, also if the files do not fit."""
    files = {} if given.frozen else sources()
    files[WIRING] = wiring.encode()
    return uf2.encode(uf2.joined(given.image, file_system.build(files, *given.storage)))


def files_in(data: bytes, storage: tuple[int, int]) -> dict[str, bytes]:
    """The files that a board would find after getting this UF2 file."""
    return file_system.files(uf2.decode(data), *storage)


def read_base(path: Path) -> Base:
    """What a file is. Raises Uf2Error, which names the file, or OSError."""
    try:
        return base(path.read_bytes())
    except Uf2Error as error:
        raise Uf2Error(f"{path}: {error}") from None
