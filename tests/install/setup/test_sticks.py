"""Which USB sticks there are, by what lsblk says, and how one is mounted."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from controller.install.setup.sticks import AUTOMOUNT, FOLDER, Stick, is_listed, listing, sticks


def disk(tran: str | None, *parts: dict[str, object], **own: object) -> dict[str, object]:
    return {"path": "/dev/sda", "tran": tran, "mountpoints": [None], "children": parts, **own}


def part(uuid: str | None, fstype: str | None, *mountpoints: str | None) -> dict[str, object]:
    return {
        "path": "/dev/sda1",
        "uuid": uuid,
        "fstype": fstype,
        "label": None,
        "size": "29G",
        "tran": None,
        "mountpoints": list(mountpoints) or [None],
    }


def said(*disks: dict[str, object]) -> str:
    return json.dumps({"blockdevices": disks})


def test_a_file_system_on_usb_is_one() -> None:
    found = sticks(said(disk("usb", part("AB-12", "vfat")), disk("mmc", part("1", "ext4", "/"))))
    assert found == (Stick("AB-12", "vfat", "", "29G"),)
    assert str(found[0]) == "AB-12 29G vfat"


def test_a_stick_without_partitions_is_one_too() -> None:
    bare = {"uuid": "c0", "fstype": "exfat", "label": "CLUB"}
    (found,) = sticks(said(disk("usb", **bare)))
    assert str(found) == "CLUB exfat"


def test_the_disk_that_the_system_starts_from_is_none() -> None:
    system = disk(
        "usb", part("1", "vfat", "/boot/firmware"), part("2", "ext4", "/"), part("3", "x")
    )
    assert sticks(said(system, disk("usb", part(None, None)))) == ()


@pytest.mark.parametrize("text", ["", "no", '{"blockdevices": 3}'])
def test_what_is_not_understood_has_none(text: str) -> None:
    assert sticks(text) == ()


@pytest.mark.parametrize(("kind", "is_masked"), [("vfat", True), ("ext4", False)])
def test_its_line_is_added_once(kind: str, is_masked: bool) -> None:
    before = "PARTUUID=1 / ext4 defaults 0 1"
    after = listing(before, Stick("AB-12", kind))
    assert after.startswith(f"{before}\nUUID=AB-12 {FOLDER} {kind} nofail,")
    assert ("umask=0077" in after) == is_masked
    assert (is_listed(before), is_listed(after)) == (False, True)


@pytest.mark.skipif(shutil.which("findmnt") is None, reason="findmnt is not installed")
def test_mount_understands_its_line(tmp_path: Path) -> None:
    table = tmp_path / "fstab"
    table.write_text(listing("", Stick("AB-12", "vfat")))
    asked = ["findmnt", "--tab-file", str(table), "--noheadings", "--output", "SOURCE,OPTIONS"]
    done = subprocess.run([*asked, str(FOLDER)], capture_output=True, text=True, check=True)
    assert done.stdout.split() == [
        "UUID=AB-12",
        "nofail,x-systemd.automount,x-systemd.device-timeout=10,umask=0077",
    ]


@pytest.mark.skipif(shutil.which("systemd-escape") is None, reason="no systemd-escape")
def test_the_unit_is_called_as_systemd_calls_it() -> None:
    asked = ["systemd-escape", "--path", "--suffix=automount", str(FOLDER)]
    done = subprocess.run(asked, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == AUTOMOUNT
