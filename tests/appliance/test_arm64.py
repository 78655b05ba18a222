"""What a bundle has for a Raspberry Pi can be loaded: by an emulator, as no Pi is at hand."""

from __future__ import annotations

import subprocess
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.appliance.conftest import bundles, target
from tests.appliance.machine import LONG_S

EMULATOR = "qemu-aarch64-static"
IMPORTS = """
import importlib, pkgutil, platform, sys
sys.path.insert(0, sys.argv[1])
names = ["argon2", "cryptography.x509", "gpiozero", "msgspec", "nacl.signing", "numpy", "paho.mqtt",
         "psycopg", "pygame", "segno", "serial", "starlette", "uvicorn"]
for root in ("controller", "display", "firmware_bridge"):
    for each in pkgutil.walk_packages(importlib.import_module(root).__path__, f"{root}."):
        if not each.name.endswith("__main__") and ".pico." not in each.name:
            names.append(each.name)
for name in names:
    importlib.import_module(name)
print(platform.machine(), len(names))
"""

pytestmark = pytest.mark.timeout(2 * LONG_S)


@pytest.mark.parametrize("bundle", bundles("arm64"), ids=target)
def test_every_module_can_be_imported(bundle: Path, tmp_path: Path) -> None:
    root = tmp_path / "root"
    with ZipFile(bundle) as packed:
        packed.extractall(tmp_path)
    for package in tmp_path.glob("*/*.deb"):
        subprocess.run(["dpkg-deb", "--extract", package, root], check=True)
    if not (root / "lib").exists():  # a link that Debian makes by other means
        (root / "lib").symlink_to("usr/lib")
    (site,) = root.glob("opt/cutcard/lib/*/site-packages")
    (python,) = root.glob("usr/bin/python3.1[0-9]")
    done = subprocess.run(
        [EMULATOR, "-L", root, python, "-I", "-c", IMPORTS, site],
        capture_output=True,
        text=True,
        check=False,
        timeout=LONG_S,
    )
    assert done.returncode == 0, done.stderr[-2_000:]
    machine, number = done.stdout.split()
    assert machine == "aarch64"
    assert int(number) > 500
