"""This machine, for whoever changes what is installed on it: dpkg, systemd, the pages, the doctor.

Each call starts a program of Debian's, or of the version that is installed then.
"""

from __future__ import annotations

import platform
import signal
import subprocess
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
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
_DONE = "installed"
_NOT_THERE = ("not-installed", "config-files")
_ENDS = (signal.SIGINT, signal.SIGTERM)


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
        """The versions of our packages that are there, be it half; empty where it can't be told."""
        return {name: version for name, (_, version) in self._packages().items()}

    def whole(self) -> str:
        """The version of all packages that are there; empty unless they have one, and dpkg is done
        with each."""
        found = set(self._packages().values())
        (status, version), *others = [*found] or [("", "")]
        return version if status == _DONE and not others else ""

    def _packages(self) -> dict[str, tuple[str, str]]:
        shown = "${Package} ${db:Status-Status} ${Version}\n"
        done = subprocess.run(
            ["dpkg-query", "--show", f"--showformat={shown}", *PACKAGES],
            capture_output=True,
            text=True,
            check=False,
        )
        rows = [line.split(" ") for line in done.stdout.splitlines()]
        return {
            name: (status, version) for name, status, version in rows if status not in _NOT_THERE
        }

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
        """Raises MachineError where one can't be; the others are."""
        for unit in units:
            with suppress(MachineError):  # it is not loaded
                self._run("systemctl", "reset-failed", unit)
        if units:
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
            with _to_its_end():
                done = subprocess.run(
                    command,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.STDOUT,
                    text=True,
                    errors="replace",
                    check=False,
                    start_new_session=True,
                )
        except OSError as error:
            raise MachineError(f"{command[0]}: {error.strerror}") from None
        with suppress(OSError), self._log.open("a", encoding="utf-8") as log:
            log.write(f"$ {' '.join(command)}\n{done.stdout}")
        if done.returncode != 0:
            last = (done.stdout.strip().splitlines() or ["no words"])[-1]
            raise MachineError(f"{command[0]} failed: {last} (all of it: {self._log})")


@contextmanager
def _to_its_end() -> Iterator[None]:
    """Whoever ends us in here does so after it: dpkg must not be ended midway."""
    caught: list[int] = []
    before = {each: signal.signal(each, lambda number, _: caught.append(number)) for each in _ENDS}
    try:
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)
    if caught:
        signal.raise_signal(caught[0])
