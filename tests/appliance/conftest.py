"""The bundle in dist/, a fresh Debian to install it on, and a newer version."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZipFile

import pytest

from tests.appliance.machine import Machine, base, booted

ROOT = Path(__file__).parents[2]
CODENAMES = {"debian12": "bookworm", "debian13": "trixie"}
HERE = subprocess.run(
    ["dpkg", "--print-architecture"], capture_output=True, text=True, check=True
).stdout.strip()


def bundles(architecture: str) -> list[Path]:
    """Return the zips in dist/ for an architecture, one for each Debian."""
    return sorted((ROOT / "dist").glob(f"cutcard-bundle-*-{architecture}.zip"))


def target(bundle: Path) -> str:
    """Return the Debian that a bundle is for."""
    return bundle.stem.split("-")[-2]


TRIED: list[Path | None] = [*bundles(HERE)]


@pytest.fixture(
    scope="session", params=TRIED or [None], ids=lambda b: "none" if b is None else target(b)
)
def bundle(request: pytest.FixtureRequest) -> Path:
    """Return a zip that ./run bundle made for machines such as this one."""
    found: Path | None = request.param
    assert found is not None, "./run bundle makes what is tried here; dist/ has none"
    return found


@pytest.fixture(scope="session")
def fresh(bundle: Path) -> Path:
    """Return the root folder of a machine that nobody has touched."""
    return base(ROOT / "build" / "appliance", CODENAMES[target(bundle)])


@pytest.fixture
def machine(fresh: Path, bundle: Path) -> Iterator[Machine]:
    """Return a machine that runs, with the bundle unpacked in /bundle."""
    # Not in /tmp, which is memory on a newer Debian.
    with (
        TemporaryDirectory(dir=fresh.parent) as folder,
        booted(fresh, Path(folder) / "m") as running,
    ):
        unpack(bundle, running)
        yield running


@pytest.fixture
def neighbours(fresh: Path, bundle: Path) -> Iterator[tuple[Machine, Machine]]:
    """Return two machines with the bundle in /bundle and a cable from one to the other."""
    with (
        cable("10.77.0.1/24", "10.77.0.2/24") as (near, far),
        TemporaryDirectory(dir=fresh.parent) as folder,
        booted(fresh, Path(folder) / "a", near) as room,
        booted(fresh, Path(folder) / "b", far) as table,
    ):
        for machine in (room, table):
            unpack(bundle, machine)
        yield room, table


@contextmanager
def cable(*addresses: str) -> Iterator[list[str]]:
    """Two network namespaces with a cable between them, at whose ends these addresses are."""
    names = [f"cutcard-{os.getpid()}-{end}" for end in "ab"]
    ends = [("netns", name, "name", "eth0") for name in names]
    try:
        for name in names:
            ip("netns", "add", name)
        ip("link", "add", *ends[0], "type", "veth", "peer", *ends[1])
        for name, address in zip(names, addresses, strict=True):
            ip("-n", name, "address", "add", address, "dev", "eth0")
            for each in ("lo", "eth0"):
                ip("-n", name, "link", "set", each, "up")
        yield names
    finally:
        for name in names:
            ip("netns", "delete", name)


def ip(*arguments: str) -> None:
    subprocess.run(["ip", *arguments], check=True)


def unpack(bundle: Path, machine: Machine) -> None:
    """Puts the bundle at /bundle."""
    with ZipFile(bundle) as packed:
        packed.extractall(machine.root)
    (unpacked,) = machine.root.glob("cutcard-bundle-*")
    unpacked.rename(machine.root / "bundle")


@pytest.fixture(scope="session")
def newer(bundle: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the same packages under a later version."""
    folder, old = tmp_path_factory.mktemp("newer"), tmp_path_factory.mktemp("old")
    with ZipFile(bundle) as packed:
        ours = [name for name in packed.namelist() if "/cutcard" in name and name.endswith(".deb")]
        packed.extractall(old, ours)
    for package in old.rglob("*.deb"):
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
