"""What a bundle has for a Raspberry Pi can be loaded: by an emulator, as no Pi is at hand."""

from __future__ import annotations

import subprocess
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.appliance.conftest import bundles, target
from tests.appliance.machine import LONG_S

EMULATOR = "qemu-aarch64-static"
LOADER = "ld-linux-aarch64.so.1"
IMPORTS = """
import importlib, pkgutil, platform, sys
sys.path.insert(0, sys.argv[1])
names = ["argon2", "cryptography.x509", "gpiozero", "msgspec", "nacl.signing", "numpy", "paho.mqtt",
         "pygame", "segno", "serial", "starlette", "uvicorn"]
for root in ("controller", "display", "firmware_bridge"):
    for each in pkgutil.walk_packages(importlib.import_module(root).__path__, f"{root}."):
        if not each.name.endswith("__main__") and ".pico." not in each.name:
            names.append(each.name)
for name in names:
    try:
        importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name != "psycopg":  # for a history in PostgreSQL, which no package brings
            raise
print(platform.machine(), len(names))
"""

pytestmark = pytest.mark.timeout(2 * LONG_S)


@pytest.mark.parametrize("bundle", bundles("arm64"), ids=target)
def test_every_module_can_be_imported(bundle: Path, tmp_path: Path) -> None:
    root = tmp_path / "root"
    with ZipFile(bundle) as packed:
        packed.extractall(tmp_path)
    for package in tmp_path.glob("*/*.deb"):
        if not package.name.startswith("base-files_"):  # with links where folders are by now
            subprocess.run(["dpkg-deb", "--extract", package, root], check=True)
    loader = root / "lib" / LOADER
    if not loader.exists():
        loader.parent.mkdir(exist_ok=True)
        loader.symlink_to(f"../usr/lib/{LOADER}")
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
    machine, number = done.stdout.splitlines()[-1].split()  # pygame greets
    assert machine == "aarch64"
    assert int(number) > 500
