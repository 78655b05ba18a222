"""A machine of Debian's smallest kind, booted in a container that has no network."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tests.waiting import PATIENCE_S, wait_until

UP = ("running", "degraded")
PYTHON = "/opt/cutcard/bin/python3 -I"
LONG_S = 300.0
"""For apt, on a machine with other work."""


class Machine:
    """A machine that runs; `root` is its root folder, as seen from here."""

    def __init__(self, root: Path, nspawn: subprocess.Popen[bytes]) -> None:
        self.root = root
        self._nspawn = nspawn

    def tries(self, command: str) -> subprocess.CompletedProcess[str]:
        """Runs a line of shell as root, whatever comes of it; what it says is in `stdout`."""
        inside = ["nsenter", f"--target={self.init()}", "--all", "env", "-i", "HOME=/root"]
        path = "PATH=/usr/sbin:/usr/bin:/sbin:/bin"
        return subprocess.run(
            [*inside, path, "TERM=dumb", "sh", "-c", command],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
            timeout=LONG_S,
        )

    def does(self, command: str) -> str:
        """Runs a line of shell as root, which has to go well; returns what it says."""
        done = self.tries(command)
        assert done.returncode == 0, f"{command}: {done.stdout}"
        return done.stdout.strip()

    def state(self, unit: str) -> str:
        """Returns `active`, `inactive`, `failed` or what else systemd says of a unit."""
        return self.tries(f"systemctl is-active {unit}").stdout.strip()

    def comes_up(self, unit: str) -> None:
        """Waits until a unit is active."""
        wait_until(lambda: self.state(unit) == "active")

    def ends(self) -> None:
        """Ends it as a pulled plug does. If only nspawn were killed, it would run on."""
        if self._nspawn.poll() is None:
            os.kill(self.init(), signal.SIGKILL)
        self._nspawn.wait(PATIENCE_S)

    def init(self) -> int:
        """The machine's first process, as seen from here. Those that go before it are in our own
        namespaces, where nothing of this is to be done."""
        return wait_until(self._first)

    def _first(self) -> int:
        assert self._nspawn.poll() is None, (
            "systemd-nspawn gave up: build/appliance/nspawn.log says why"
        )
        pid, ours = self._nspawn.pid, Path("/proc/self/ns/pid").readlink()
        with suppress(OSError):  # one that ends meanwhile
            for each in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
                if Path(f"/proc/{each}/ns/pid").readlink() != ours:
                    return int(each)
        return 0


def base(folder: Path, release: str) -> Path:
    """Returns a fresh Debian of a release, by its codename, fetched once into the folder."""
    made = folder / release
    if not made.exists():
        folder.mkdir(parents=True, exist_ok=True)
        fresh = folder / f"{release}.unfinished"
        shutil.rmtree(fresh, ignore_errors=True)
        # Every machine that boots has the second three.
        include = "--include=systemd,systemd-sysv,dbus,udev"
        command = ["debootstrap", "--variant=minbase", include, release, str(fresh)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        fresh.rename(made)
    return made


@contextmanager
def booted(fresh: Path, root: Path, network: str = "") -> Iterator[Machine]:
    """Boots a copy of a fresh machine at `root`, for as long as the context lasts. It is in this
    network namespace, by its name, or in one of its own without anything."""
    subprocess.run(["cp", "--archive", "--reflink=auto", fresh, root], check=True)
    (root / "etc" / "machine-id").write_text("uninitialized\n")
    (root / "etc" / "apt" / "sources.list").write_text("")
    # Debian's own mosquitto waits for a network, two minutes long.
    waits = root / "etc" / "systemd" / "system" / "systemd-networkd-wait-online.service"
    waits.symlink_to("/dev/null")
    command = ["systemd-nspawn", "--quiet", "--boot", "--register=no"]
    command += [
        "--keep-unit",
        "--console=pipe",
        f"--machine=cutcard-{os.getpid()}-{root.name}",
    ]
    command += [
        f"--network-namespace-path=/run/netns/{network}" if network else "--private-network"
    ]
    with (fresh.parent / "nspawn.log").open("wb") as log:
        nspawn = subprocess.Popen(
            [*command, f"--directory={root}"],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
        )
    machine = Machine(root, nspawn)
    try:
        wait_until(lambda: machine.tries("systemctl is-system-running").stdout.strip() in UP)
        yield machine
    finally:
        machine.ends()
