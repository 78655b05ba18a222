"""A folder that stands for a machine on which the packages have been installed."""

from __future__ import annotations

import json
import shutil
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from controller.install import broker
from controller.room.commands import certificate
from tests.in_process import Ran, cutcard

ROOT = Path(__file__).parents[3]
PIN = "471147"
OWN, DEBIANS = "etc/cutcard/mosquitto", "etc/mosquitto"
"""Where a broker of the package's own has its files, and where Debian's has them."""
needs_systemctl = pytest.mark.skipif(
    shutil.which("systemctl") is None, reason="systemctl is not installed"
)


def a_machine(root: Path, *units: str) -> Path:
    """A fresh Raspberry Pi with these units."""
    etc = root / "etc"
    for folder in (etc / "cutcard", etc / "credstore", root / "lib/systemd/system"):
        folder.mkdir(parents=True)
    (etc / "credstore").chmod(0o700)
    (etc / "hostname").write_text("raspberrypi\n")
    (etc / "hosts").write_text("127.0.0.1\tlocalhost\n127.0.1.1\traspberrypi\n")
    (etc / "timezone").write_text("Europe/London\n")
    (etc / "localtime").symlink_to("/usr/share/zoneinfo/Europe/London")
    for unit in units:
        shutil.copy(ROOT / "systemd" / unit, root / "lib/systemd/system")
    return root


def a_room(root: Path, *more: str, port: int = 8883, broker_at: str = OWN) -> Path:
    """What the package cutcard-room makes of it, as debian/room-set-up does; its broker is at a
    `port` and has its files in a folder."""
    units = ("cutcard-room.service", "cutcard-broker.service", "cutcard-renewal.timer")
    a_machine(root, *units, "cutcard-renewal.service", "cutcard-backup.timer", *more)
    etc = root / "etc/cutcard"
    with redirect_stdout(StringIO()):
        names = ("--name", "raspberrypi.local", "--name", "127.0.0.1")
        assert certificate.main(["--folder", str(etc / "https"), *names]) == 0
        places = ("--https", str(etc / "https"), "--passwords", str(etc / "broker"))
        where = ("--folder", str(root / broker_at), "--port", str(port))
        assert broker.main([*where, *places]) == 0
    shutil.copy(etc / "https/ca.crt", etc / "ca.pem")
    script = (ROOT / "debian/room-set-up").read_text("utf-8")
    (options,) = [line for line in script.splitlines() if "ROOM_OPTIONS=" in line]
    options = options.split('"')[1].replace("$etc", "/etc/cutcard").replace("8883", str(port))
    (etc / "room.env").write_text(f"{options}\n")
    return root


def setup(root: Path, *words: str, answers: str | None = None) -> Ran:
    """`cutcard setup`."""
    command = ["setup", *words, "--root", str(root)]
    if answers is not None:
        file = root / "answers.toml"
        file.write_text(answers, encoding="utf-8")
        command += ["--answers", str(file)]
    return cutcard(*command, cwd=root)


def report(done: Ran) -> dict[str, Any]:
    """What it says as JSON."""
    assert done.status == 0, done.err
    found: dict[str, Any] = json.loads(done.out)
    return found


def kept(root: Path) -> dict[str, tuple[int, int, bytes]]:
    """Each file and link with its time, its mode and what is in it, but for the answers."""
    found = {}
    for each in sorted(root.rglob("*")):
        if each.name == "answers.toml" or (each.is_dir() and not each.is_symlink()):
            continue
        at = each.lstat()
        content = str(each.readlink()).encode() if each.is_symlink() else each.read_bytes()
        found[str(each.relative_to(root))] = (at.st_mtime_ns, at.st_mode, content)
    return found
