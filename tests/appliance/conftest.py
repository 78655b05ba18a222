"""The bundle in dist/, a fresh Debian to install it on, and a newer version."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZipFile

import pytest

from tests.appliance.machine import Machine, base, booted

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def fresh() -> Path:
    """Return the root folder of a machine that nobody has touched."""
    return base(ROOT / "build" / "appliance")


@pytest.fixture(scope="session")
def bundle() -> Path:
    """Return the zip that ./run bundle made."""
    found = [*(ROOT / "dist").glob("cutcard-bundle-*.zip")]
    assert len(found) == 1, f"./run bundle makes what is tried here; dist/ has {len(found)}"
    return found[0]


@pytest.fixture
def machine(fresh: Path, bundle: Path) -> Iterator[Machine]:
    """Return a machine that runs, with the bundle unpacked in /bundle."""
    # Not in /tmp, which is memory on a newer Debian.
    with (
        TemporaryDirectory(dir=fresh.parent) as folder,
        booted(fresh, Path(folder) / "m") as running,
    ):
        with ZipFile(bundle) as packed:
            packed.extractall(running.root)
        (unpacked,) = running.root.glob("cutcard-bundle-*")
        unpacked.rename(running.root / "bundle")
        yield running


@pytest.fixture(scope="session")
def newer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the same packages under a later version."""
    folder = tmp_path_factory.mktemp("newer")
    for package in (ROOT / "dist").glob("*.deb"):
        tree = folder / package.stem
        subprocess.run(["dpkg-deb", "--raw-extract", package, tree], check=True)
        control = tree / "DEBIAN" / "control"
        text = control.read_text("utf-8")
        (version,) = re.findall(r"^Version: (.+)$", text, re.MULTILINE)
        control.write_text(text.replace(version, f"{version}.1"), encoding="utf-8")
        build = ["dpkg-deb", "--root-owner-group", "-Znone", "--build", str(tree), str(folder)]
        subprocess.run(build, check=True, stdout=subprocess.DEVNULL)
        subprocess.run(["rm", "-r", tree], check=True)
    return folder
