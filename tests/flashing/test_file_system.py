"""A Pico's file system: read back by others than those who wrote it."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import littlefs
import pytest
from littlefs.context import UserContext

from firmware_bridge.flashing import file_system, firmware
from firmware_bridge.flashing.uf2 import Uf2Error
from firmware_bridge.pico.sim.pico import interpreter

ADDRESS, SIZE = 0x100A0000, 1408 * 1024
FILES = {
    **firmware.sources(),
    "wiring.py": b"# wired\n",
    "empty": b"",
    "big": bytes(range(256)) * 99,
}

# Mounts an image as ports/rp2/modules/_boot.py does, and tells every file.
READER = """
import json, os, sys, vfs, binascii

class Flash:
    def __init__(self, path):
        self.file = open(path, "r+b")
    def readblocks(self, block, buffer, offset=0):
        self.file.seek(block * 4096 + offset)
        self.file.readinto(buffer)
    def writeblocks(self, block, buffer, offset=None):
        self.file.seek(block * 4096 + (offset or 0))
        self.file.write(buffer)
    def ioctl(self, operation, argument):
        if operation == 4:
            return SIZE // 4096
        if operation == 5:
            return 4096
        return 0

vfs.mount(vfs.VfsLfs2(Flash(sys.argv[1]), progsize=256), "/flash")
with open("/flash/added", "wb") as file:
    file.write(b"on the board")
found = {}
for name in os.listdir("/flash"):
    with open("/flash/" + name, "rb") as file:
        found[name] = binascii.hexlify(file.read()).decode()
print(json.dumps(found))
""".replace("SIZE", str(SIZE))


def _flash(pages: dict[int, bytes], before: bytes = b"\xff" * SIZE) -> bytearray:
    """What is in that region of flash after the pages were written over what was there."""
    flash = bytearray(before)
    for sector in {at - at % 4096 for at in pages}:
        flash[sector - ADDRESS : sector - ADDRESS + 4096] = b"\xff" * 4096
    for at, page in pages.items():
        flash[at - ADDRESS : at - ADDRESS + 256] = page
    return flash


def _read(flash: bytearray) -> dict[str, bytes]:
    system = littlefs.LittleFS(
        context=UserContext(buffer=flash),
        block_size=4096,
        block_count=SIZE // 4096,
        prog_size=256,
        read_size=32,
    )
    return {name: system.open(name, "rb").read() for name in system.listdir("/")}


def test_it_has_exactly_these_files() -> None:
    assert _read(_flash(file_system.build(FILES, ADDRESS, SIZE))) == FILES


def test_it_is_the_same_each_time_and_small() -> None:
    pages = file_system.build(FILES, ADDRESS, SIZE)
    assert pages == file_system.build(dict(reversed(FILES.items())), ADDRESS, SIZE)
    assert len(pages) * 256 < 2 * sum(map(len, FILES.values())) + 64 * 1024


def test_whatever_was_in_flash_before_is_gone() -> None:
    context = UserContext(SIZE)
    old = littlefs.LittleFS(
        context=context, block_size=4096, block_count=SIZE // 4096, prog_size=256
    )
    for turn in range(300):  # so often that its revisions are higher than ours
        with old.open("main.py", "wb") as file:
            file.write(b"old" * turn)
    old.unmount()
    assert list(_read(bytearray(context.buffer))) == ["main.py"]
    newest = max(bytes(context.buffer[:4096]), bytes(context.buffer[4096:8192]), key=_revision)
    assert _revision(newest) > 10
    many = {f"file{number}": bytes(400) for number in range(20)}
    for files in (FILES, {"wiring.py": b"# wired"}, many):
        pages = file_system.build(files, ADDRESS, SIZE)
        for before in (bytes(context.buffer), newest * (SIZE // 4096)):
            assert _read(_flash(pages, before)) == files


def _revision(sector: bytes) -> int:
    return int.from_bytes(sector[:4], "little")


def test_micropython_mounts_it_reads_it_and_writes_to_it(tmp_path: Path) -> None:
    found = interpreter()
    if found is None:
        pytest.skip("MicroPython's unix port is not installed (there is one for x86-64 only)")
    (tmp_path / "flash").write_bytes(_flash(file_system.build(FILES, ADDRESS, SIZE)))
    (tmp_path / "reader.py").write_text(READER, "utf-8")
    done = subprocess.run(
        [found, "-X", "heapsize=8M", "reader.py", "flash"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr + done.stdout
    told = {name: bytes.fromhex(text) for name, text in json.loads(done.stdout).items()}
    assert told == {**FILES, "added": b"on the board"}


def test_files_that_do_not_fit_are_refused() -> None:
    with pytest.raises(Uf2Error, match="do not fit into 65536 bytes"):
        file_system.build({"big": bytes(70000)}, ADDRESS, 65536)
