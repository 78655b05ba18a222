"""debian/wheels.py TARGET FOLDER: installs the wheels that a package for other machines has.

TARGET is such as debian13-arm64. The lock's conditions are judged for Debian's Python there, and
the wheels are those for it; each is held against its hash.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path

from packaging.requirements import Requirement

PYTHON = {"12": "3.11", "13": "3.13"}
"""Debian's own, by its release."""
GLIBC = {"12": 36, "13": 41}
MACHINES = {"amd64": "x86_64", "arm64": "aarch64"}
_LOCK = Path(__file__).parents[1] / "requirements-package.lock"


def locked(target: str, lock: str) -> list[str]:
    """The lines of a lock that hold on a target, without their conditions."""
    release, machine = _known(target)
    version = PYTHON[release]
    there = {
        "python_version": version,
        "python_full_version": f"{version}.0",
        "platform_machine": MACHINES[machine],
        "sys_platform": "linux",
        "platform_system": "Linux",
        "os_name": "posix",
        "implementation_name": "cpython",
        "platform_python_implementation": "CPython",
    }
    found = []
    for line in lock.replace("\\\n", " ").splitlines():
        pin, *hashes = line.split("--hash=")
        if not hashes:
            continue
        wanted = Requirement(pin.strip())
        if wanted.marker is None or wanted.marker.evaluate(there):
            sums = " ".join(f"--hash={each.strip()}" for each in hashes)
            found.append(f"{wanted.name}{wanted.specifier} {sums}")
    return found


def options(target: str) -> list[str]:
    """What tells pip of a target."""
    release, machine = _known(target)
    version = PYTHON[release]
    tags = [f"manylinux_2_{glibc}_{MACHINES[machine]}" for glibc in range(GLIBC[release], 4, -1)]
    tags += [f"manylinux2014_{MACHINES[machine]}", f"linux_{MACHINES[machine]}", "any"]
    found = ["--python-version", version, "--implementation", "cp"]
    for abi in (f"cp{version.replace('.', '')}", "abi3", "none"):
        found += ["--abi", abi]
    for tag in tags:
        found += ["--platform", tag]
    return found


def _known(target: str) -> tuple[str, str]:
    known = re.fullmatch(r"debian([0-9]+)-([a-z0-9]+)", target)
    if known is None or known[1] not in PYTHON or known[2] not in MACHINES:
        names = ", ".join(f"debian{r}-{m}" for r in PYTHON for m in MACHINES)
        raise SystemExit(f"wheels.py: what is {target}? One of {names}")
    return known[1], known[2]


def main(target: str, folder: str) -> None:
    """Installs them."""
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.write("\n".join(locked(target, _LOCK.read_text("utf-8"))))
        file.flush()
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-compile"]
        command += ["--require-hashes", "--only-binary", ":all:", "--target", folder]
        subprocess.run([*command, *options(target), "-r", file.name], check=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
