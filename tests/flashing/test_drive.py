"""The drive of a Pico in BOOTSEL mode."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware_bridge.flashing import drive
from firmware_bridge.flashing.chips import CHIPS
from firmware_bridge.flashing.drive import DriveError

RP2040 = "UF2 Bootloader v2.0\r\nModel: Raspberry Pi RP2\r\nBoard-ID: RPI-RP2\r\n"
RP2350 = "UF2 Bootloader v1.0\nModel: Raspberry Pi RP2350\nBoard-ID: RP2350\n"


def folder(at: Path, info: str) -> Path:
    at.mkdir(parents=True)
    (at / "INFO_UF2.TXT").write_bytes(info.encode())
    return at


def test_it_says_which_chip_waits_there(tmp_path: Path) -> None:
    assert drive.at(folder(tmp_path / "one", RP2040)).chip is CHIPS[0]
    assert drive.at(folder(tmp_path / "two", RP2350)).chip is CHIPS[1]


def test_others_are_refused(tmp_path: Path) -> None:
    with pytest.raises(DriveError, match="this is a Feather-M4, not a Pico"):
        drive.at(folder(tmp_path / "other", RP2040.replace("RPI-RP2", "Feather-M4")))
    with pytest.raises(DriveError, match="nameless"):
        drive.at(folder(tmp_path / "nameless", "x"))
    with pytest.raises(DriveError, match="No such file or directory: no Pico in BOOTSEL mode"):
        drive.at(tmp_path / "none")


def test_mounted_drives_are_found(tmp_path: Path) -> None:
    pico = folder(tmp_path / "RPI RP2", RP2040)
    (tmp_path / "stick").mkdir()
    other = folder(tmp_path / "other", RP2040.replace("RPI-RP2", "Feather-M4"))
    escaped = str(pico).replace(" ", "\\040")
    mounts = tmp_path / "mounts"
    mounts.write_text(
        "proc /proc proc rw 0 0\n"
        f"/dev/sdb1 {tmp_path / 'stick'} vfat rw 0 0\n"
        f"/dev/sdc1 {other} vfat rw 0 0\n"
        f"/dev/sda1 {escaped} vfat rw,nosuid 0 0\n",
        "utf-8",
    )
    assert drive.mounted(mounts) == [drive.Drive(pico, CHIPS[0])]


def test_drives_that_are_not_mounted_are_found_by_their_label(tmp_path: Path) -> None:
    assert drive.unmounted(tmp_path) == []
    (tmp_path / "RP2350").touch()
    (tmp_path / "STICK").touch()
    assert drive.unmounted(tmp_path) == [tmp_path / "RP2350"]


def test_the_file_is_written_whole(tmp_path: Path) -> None:
    found = drive.at(folder(tmp_path / "one", RP2040))
    data = bytes(range(256)) * 1000
    drive.write(found, data)
    assert (found.path / drive.NAME).read_bytes() == data


def test_a_drive_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    found = drive.at(folder(tmp_path / "one", RP2040))
    (found.path / drive.NAME).mkdir()
    with pytest.raises(DriveError, match="could not be written"):
        drive.write(found, b"data")
