"""The system of this machine, booted once more in a container that has no network: its own files,
of which nothing is changed, with its own systemd, and none of its services."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.appliance.machine import PYTHON, UP, Machine
from tests.conftest import REFUSED
from tests.waiting import wait_until

ROOT = Path(__file__).parents[2]
CHECKOUT, LENT, WHEELS = "/opt/checkout", "/opt/lent", "/opt/wheels"
HOMES = tuple(f"/{each}/" for each in ("root", "home"))
_BOOTS = """
mount --bind / "$1"
shift
exec systemd-nspawn "$@"
"""
_UNITS = (
    "systemd.unit=basic.target",
    # It waits for a network, two minutes long, before Debian's mosquitto.
    "systemd.mask=systemd-networkd-wait-online.service",
    "systemd.mask=NetworkManager-wait-online.service",
)


@contextmanager
def booted_again(wheel: Path) -> Iterator[Machine]:
    """Boots it, with the checkout at `CHECKOUT`, this environment's libraries at `LENT` and the
    project's wheel installed in /opt/cutcard. What the machine refuses is named in the skip."""
    if os.geteuid() != 0:
        pytest.skip(f"{REFUSED} only root boots a container")
    with TemporaryDirectory(prefix="cutcard-boots-") as name:
        folder = Path(name)
        log = folder / "nspawn.log"
        nspawn = _nspawn(folder, wheel, log)
        machine = Machine(Path("/nowhere"), nspawn)
        try:
            _comes_up(machine, nspawn, log)
            machine.root = Path(f"/proc/{machine.init()}/root")
            _install(machine)
            yield machine
        finally:
            machine.ends()


def _nspawn(folder: Path, wheel: Path, log: Path) -> subprocess.Popen[bytes]:
    """Starts it. The mount is in a namespace of its own and goes with the process."""
    root = folder / "root"
    root.mkdir()
    (site,) = (each for each in sys.path if each.endswith("site-packages"))
    options = [
        "--quiet",
        "--boot",
        "--volatile=overlay",
        "--private-network",
        "--register=no",
        "--keep-unit",
        "--link-journal=no",
        "--console=pipe",
        f"--machine=cutcard-{os.getpid()}",
        f"--directory={root}",
        f"--bind-ro={ROOT}:{CHECKOUT}",
        f"--bind-ro={site}:{LENT}",
        f"--bind-ro={wheel.parent}:{WHEELS}",
    ]
    shell = ["sh", "-e", "-c", _BOOTS, "sh", str(root), *options, *_UNITS]
    with log.open("wb") as said:
        return subprocess.Popen(
            ["unshare", "--mount", "--propagation=private", *shell],
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=subprocess.STDOUT,
        )


def _comes_up(machine: Machine, nspawn: subprocess.Popen[bytes], log: Path) -> None:
    def is_up() -> bool:
        if nspawn.poll() is not None:
            said = log.read_text("utf-8", "replace").strip().splitlines()
            pytest.skip(f"{REFUSED} {said[-1] if said else 'systemd-nspawn says nothing'}")
        try:
            state = machine.tries("systemctl is-system-running")
        except AssertionError:
            return False  # it has just given up: the next look says so
        return state.stdout.strip() in UP

    wait_until(is_up)
    # What the units ask of the kernel a container within a container may not have.
    tried = machine.tries(
        "systemd-run --quiet --wait --pipe -p DynamicUser=yes -p PrivateUsers=yes"
        " -p PrivateDevices=yes -p ProtectProc=invisible true"
    )
    if tried.returncode != 0:
        pytest.skip(f"{REFUSED} {tried.stdout.strip()}")


def _install(machine: Machine) -> None:
    machine.does(f"{_python(machine)} -m venv --without-pip /opt/cutcard")
    (site,) = (machine.root / "opt/cutcard/lib").glob("python*/site-packages")
    (site / "lent.pth").write_text(f"{LENT}\n", encoding="utf-8")
    machine.does(f"{PYTHON} -m pip install --quiet --no-index --no-deps {WHEELS}/*.whl")
    machine.does("ln -s /opt/cutcard/bin/cutcard /usr/local/bin/cutcard")


def _python(machine: Machine) -> str:
    """The machine's own Python, where the libraries fit it, or ours. Services see no home."""
    ours = os.path.realpath(sys.executable)
    version = "import sys; print(*sys.version_info[:2])"
    for each in ("/usr/bin/python3", ours):
        said = machine.tries(f"{each} -c '{version}'").stdout.split()
        if said == [str(number) for number in sys.version_info[:2]] and not each.startswith(HOMES):
            return each
    pytest.skip(f"{REFUSED} its Python is in a home, {ours}, which no service may see")
