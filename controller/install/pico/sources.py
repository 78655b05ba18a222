"""MicroPython's sources and what it needs of others, from Debian, verified by apt and by sum.

Everything is in Debian 13 (trixie), whichever Debian this is: apt gets folders of its own, so that
nothing is installed and nobody has to be root. The mirror is the one that this machine uses.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

from msgspec import Struct

SUITE = "trixie"
KEYS = Path("/usr/share/keyrings/debian-archive-keyring.gpg")


class BuildError(Exception):
    """It can't be built here; says what is missing and how it is had."""


class Part(Struct, frozen=True):
    """A package: its upstream sources or, where `binary`, what is in it. Without a version it is
    whichever the suite has: only its signature tells what it is."""

    package: str
    version: str
    file: str
    sha256: str = ""
    binary: bool = False


MICROPYTHON = Part(
    "micropython",
    "1.25.0+ds-1",
    "micropython_1.25.0+ds.orig.tar.xz",
    "7b25be99a502f070b2de81dafc08da7051d992325d6e67daa9045a918fffdbea",
)
PICO_SDK = Part(
    "pico-sdk",
    "2.1.1-1",
    "pico-sdk_2.1.1.orig.tar.gz",
    "179c5531e75ac7f82d0679e70b6e8881f871738dc0ef17baf3b4ff4679291c41",
)
TINYUSB = Part(
    "tinyusb-source",
    "0.18.0+dfsg-1",
    "tinyusb-source_0.18.0+dfsg-1_all.deb",
    "01ce2c645df68f14a8a7dcfc8fb355713152543757955820479a87949a61154e",
    binary=True,
)
MBEDTLS = Part("mbedtls", "", "mbedtls_3.6.*.orig.tar.*")
"""Debian updates it for security, so no version is pinned. Nothing that we run uses it."""


def fetch(folder: Path, say: Callable[[str], None]) -> None:
    """Put everything into `folder`: micropython with its libraries in their places, and pico-sdk.

    Raises BuildError.
    """
    say(f"fetching MicroPython {MICROPYTHON.version}, pico-sdk {PICO_SDK.version} and two more")
    apt = _Apt(folder / "apt")
    micropython = folder / "micropython"
    _unpack(apt.get(MICROPYTHON), micropython)
    _unpack(apt.get(PICO_SDK), folder / "pico-sdk")
    _unpack(apt.get(MBEDTLS), micropython / "lib" / "mbedtls")
    package = folder / "tinyusb"
    run(["dpkg-deb", "-x", str(apt.get(TINYUSB)), str(package)])
    shutil.copytree(
        package / "usr/src/tinyusb", micropython / "lib" / "tinyusb", dirs_exist_ok=True
    )
    # MicroPython's build looks whether this repository is there; no module of it is used.
    (micropython / "lib/micropython-lib").mkdir(exist_ok=True)
    (micropython / "lib/micropython-lib/README.md").touch()


class _Apt:
    """apt with lists and a cache of its own, for one suite."""

    def __init__(self, folder: Path) -> None:
        self._files = folder / "files"
        for each in ("lists/partial", "cache/archives/partial", "files"):
            (folder / each).mkdir(parents=True, exist_ok=True)
        mirror = _mirror()
        lines = [
            f"{kind} [signed-by={KEYS}] {mirror} {SUITE} main\n" for kind in ("deb", "deb-src")
        ]
        (folder / "sources.list").write_text("".join(lines), "utf-8")
        (folder / "apt.conf").write_text(
            f'Dir::State::lists "{folder}/lists";\nDir::Cache "{folder}/cache";\n'
            f'Dir::Etc::sourcelist "{folder}/sources.list";\nDir::Etc::sourceparts "/dev/null";\n'
            'APT::Sandbox::User "root";\n',
            "utf-8",
        )
        self._environment = {"APT_CONFIG": str(folder / "apt.conf")}
        run(["apt-get", "-q", "update"], environment=self._environment)

    def get(self, part: Part) -> Path:
        """The file, verified. Raises BuildError."""
        how = ["download"] if part.binary else ["--download-only", "--tar-only", "source"]
        name = f"{part.package}={part.version}" if part.version else part.package
        run(["apt-get", "-q", *how, name], folder=self._files, environment=self._environment)
        found = sorted(self._files.glob(part.file))
        if len(found) != 1:
            raise BuildError(f"{SUITE} has no {part.file} of {part.package}")
        if part.sha256 and hashlib.sha256(found[0].read_bytes()).hexdigest() != part.sha256:
            raise BuildError(f"{found[0]} has not the SHA-256 {part.sha256}")
        return found[0]


def _mirror() -> str:
    """The mirror of Debian that this machine's apt uses."""
    said = run(["apt-get", "indextargets", "--format", "$(ORIGIN) $(LABEL) $(REPO_URI)"])
    for line in said.splitlines():
        origin, label, uri = line.split(" ", 2)
        if (origin, label) == ("Debian", "Debian"):
            return uri
    raise BuildError("apt here knows no mirror of Debian: on another system use --micropython")


def _unpack(file: Path, target: Path) -> None:
    """Unpack sources without the folder that they are all in."""
    apart = target.with_name(f"{target.name}.unpacked")
    apart.mkdir()
    run(["tar", "-xf", str(file), "-C", str(apart)])
    inner = list(apart.iterdir())
    shutil.rmtree(target, ignore_errors=True)
    (inner[0] if len(inner) == 1 else apart).rename(target)
    shutil.rmtree(apart, ignore_errors=True)


def run(
    command: list[str],
    *,
    folder: Path | None = None,
    environment: dict[str, str] | None = None,
    log: Path | None = None,
) -> str:
    """Run a command to its end and return what it said. Raises BuildError with its last words."""

    try:
        done = subprocess.run(
            command,
            cwd=folder,
            env={**os.environ, **(environment or {})},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            check=False,
        )
    except FileNotFoundError:
        raise BuildError(f"{command[0]} is not installed") from None
    if log is not None:
        with log.open("a", encoding="utf-8") as file:
            file.write(done.stdout)
    if done.returncode:
        words = [line for line in done.stdout.splitlines() if line.strip()]
        last = "\n".join(words[-8:])
        raise BuildError(f"{' '.join(command)}: status {done.returncode}\n{last}")
    return done.stdout
