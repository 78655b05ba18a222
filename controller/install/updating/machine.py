"""This machine, for whoever changes what is installed on it: dpkg, systemd, the pages, the doctor.

Each call starts a program of Debian's, or of the version that is installed then.
"""

from __future__ import annotations

import platform
import subprocess
import urllib.error
import urllib.request
from collections.abc import Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from controller.install.backup.restore_command import SERVICES
from controller.install.updating.bundle import PACKAGES
from controller.install.updating.standing import Standing, Unit

UNITS = (*SERVICES, "cutcard-wall")
STOPPED = tuple(name for name in SERVICES if name != "cutcard-broker")
"""The services that write what is backed up, but for the broker."""
_AT_REST = ("inactive", "failed", "missing")
PROGRAM = Path("/opt/cutcard/bin/cutcard")
TABLE = Path("/etc/cutcard/table.toml")
_ANSWER_S = 5.0


class MachineError(Exception):
    """A program of the system's has failed; one line says which, and its last words."""


class _Check(Struct):
    part: str
    name: str
    status: str


class Machine:
    """`pages` is the address of the room's, by http or https, empty if there is no room; what
    programs say goes to `log`."""

    def __init__(self, log: Path, pages: str) -> None:
        self._log = log
        self._pages = pages

    def made_for(self) -> str:
        """As a bundle's manifest says it."""
        release = platform.freedesktop_os_release()
        architecture = self._output("dpkg", "--print-architecture").strip()
        return f"{release.get('ID', '')}{release.get('VERSION_ID', '')} {architecture}"

    def installed(self) -> dict[str, str]:
        """The versions of our packages that are installed."""
        shown = "${Package} ${Version} ${db:Status-Status}\n"
        done = subprocess.run(
            ["dpkg-query", "--show", f"--showformat={shown}", *PACKAGES],
            capture_output=True,
            text=True,
            check=False,
        )
        rows = [line.split() for line in done.stdout.splitlines()]
        return {row[0]: row[1] for row in rows if len(row) == 3 and row[2] == "installed"}

    def is_newer(self, version: str, than: str) -> bool:
        """As Debian counts."""
        done = subprocess.run(
            ["dpkg", "--compare-versions", version, "gt", than], capture_output=True, check=False
        )
        return done.returncode == 0

    def standing(self, *, examine: bool) -> Standing:
        """How it is now; with `examine` a doctor looks at its table, which takes a while."""
        units = {name: self._unit(name) for name in UNITS}
        failing = self._failing() if examine and TABLE.exists() else frozenset[str]()
        return Standing(units, self._room(), failing)

    def stop(self, units: Sequence[str]) -> None:
        """Those of them that run, or try to. Raises MachineError."""
        up = [name for name in units if self._unit(name).state not in _AT_REST]
        if up:
            self._run("systemctl", "stop", *up)

    def start(self, units: Sequence[str]) -> None:
        """Raises MachineError where one can't be."""
        if units:
            self._run("systemctl", "reset-failed", *units)
            self._run("systemctl", "start", *units)

    def install(self, folder: Path, packages: Sequence[str]) -> None:
        """Installs a bundle that is unpacked there, by its own `install`. Raises MachineError."""
        self._run("sh", str(folder / "install"), *(p.removeprefix("cutcard-") for p in packages))

    def put_back(self, packages: Sequence[Path]) -> None:
        """Installs older packages over newer ones. Raises MachineError."""
        older = ("--force-downgrade", "--force-confold")
        self._run("dpkg", "--install", *older, *map(str, packages))

    def _unit(self, name: str) -> Unit:
        said = subprocess.run(
            ["systemctl", "show", "--property=ActiveState,NRestarts", name],
            capture_output=True,
            text=True,
            check=False,
        ).stdout
        found = dict(line.partition("=")[::2] for line in said.splitlines())
        restarts = found.get("NRestarts", "")
        state = found.get("ActiveState", "missing")
        return Unit(state, int(restarts) if restarts.isdecimal() else 0)

    def _room(self) -> bool | None:
        if not self._pages:
            return None
        address = f"{self._pages.removesuffix('/')}/healthz"
        try:
            with urllib.request.urlopen(address, timeout=_ANSWER_S) as page:  # noqa: S310
                return bool(page.status == 200)
        except (OSError, ValueError):
            return False

    def _failing(self) -> frozenset[str]:
        done = subprocess.run(
            [PROGRAM, "doctor", "--quick", "--json"], capture_output=True, check=False
        )
        try:
            checks = msgspec.json.decode(done.stdout, type=list[_Check])
        except msgspec.MsgspecError:
            return frozenset({"doctor itself"})
        return frozenset(f"{c.part}, {c.name}" for c in checks if c.status == "fail")

    def _output(self, *command: str) -> str:
        try:
            return subprocess.run(command, capture_output=True, text=True, check=True).stdout
        except (OSError, subprocess.CalledProcessError) as error:
            raise MachineError(f"{command[0]}: {error}") from None

    def _run(self, *command: str) -> None:
        try:
            done = subprocess.run(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                errors="replace",
                check=False,
            )
        except OSError as error:
            raise MachineError(f"{command[0]}: {error.strerror}") from None
        with self._log.open("a", encoding="utf-8") as log:
            log.write(f"$ {' '.join(command)}\n{done.stdout}")
        if done.returncode != 0:
            last = (done.stdout.strip().splitlines() or ["no words"])[-1]
            raise MachineError(f"{command[0]} failed: {last} (all of it: {self._log})")
