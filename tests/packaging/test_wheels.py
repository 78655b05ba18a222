"""Packages for other machines have the wheels that fit there."""

from __future__ import annotations

import pytest

from debian.wheels import locked, options

LOCK = """
# a comment
lgpio==0.2.2.0 ; python_full_version < '3.13' and platform_machine == 'aarch64' \\
    --hash=sha256:aa \\
    --hash=sha256:bb
numpy==2.4.6 ; python_full_version < '3.12' --hash=sha256:cc
numpy==2.5.5 ; python_full_version >= '3.12' --hash=sha256:dd
msgspec==0.19.0 \\
    --hash=sha256:ee
"""


@pytest.mark.parametrize(
    ("target", "names"),
    [
        ("debian12-amd64", ["numpy==2.4.6", "msgspec==0.19.0"]),
        ("debian12-arm64", ["lgpio==0.2.2.0", "numpy==2.4.6", "msgspec==0.19.0"]),
        ("debian13-amd64", ["numpy==2.5.5", "msgspec==0.19.0"]),
        ("debian13-arm64", ["numpy==2.5.5", "msgspec==0.19.0"]),
    ],
)
def test_what_is_locked_for_a_machine(target: str, names: list[str]) -> None:
    found = locked(target, LOCK)
    assert [line.split()[0] for line in found] == names
    assert all("--hash=sha256:" in line and ";" not in line for line in found)
    if "lgpio" in found[0]:
        assert found[0] == "lgpio==0.2.2.0 --hash=sha256:aa --hash=sha256:bb"


def test_pip_is_told_of_it() -> None:
    told = options("debian13-arm64")
    assert told[:4] == ["--python-version", "3.13", "--implementation", "cp"]
    assert {"cp313", "abi3", "none", "manylinux_2_41_aarch64", "manylinux2014_aarch64"} <= {*told}
    assert not {"manylinux_2_37_aarch64", "cp313"} & {*options("debian12-arm64")}


@pytest.mark.parametrize("target", ["debian11-amd64", "debian12-i386", "trixie", "", "debian12"])
def test_other_machines_are_refused(target: str) -> None:
    with pytest.raises(SystemExit, match="debian13-arm64"):
        options(target)
