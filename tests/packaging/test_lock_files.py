"""The lock files: complete, hashed, in step with each other, and bound to no package index."""

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
LOCKS = ["requirements.lock", "requirements-package.lock", "requirements-dev.lock"]


def entries(lock: str) -> list[tuple[Requirement, list[str]]]:
    """Return each pinned requirement with its hashes."""
    text = (ROOT / lock).read_text("utf-8").replace("\\\n", " ")
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    parts = [line.split("--hash=") for line in lines]
    return [(Requirement(pin), [a_hash.strip() for a_hash in hashes]) for pin, *hashes in parts]


def pins(lock: str) -> set[str]:
    return {f"{pin.name}{pin.specifier}" for pin, _ in entries(lock)}


@pytest.mark.parametrize("lock", LOCKS)
def test_every_package_is_pinned_to_one_version_with_hashes(lock: str) -> None:
    found = entries(lock)
    assert found
    for pin, hashes in found:
        assert re.fullmatch(r"==[\w.]+", str(pin.specifier)), pin
        assert hashes, pin
        for a_hash in hashes:
            assert re.fullmatch(r"sha256:[0-9a-f]{64}", a_hash), pin


@pytest.mark.parametrize("lock", LOCKS)
def test_no_address_and_no_path(lock: str) -> None:
    lines = (ROOT / lock).read_text("utf-8").splitlines()
    comments = [line for line in lines if line.startswith("#")]
    assert comments[1:] == ["#    ./run lock"]
    assert not [line for line in lines if line not in comments and re.search(r"[/@]|--[^h]", line)]


def test_what_runs_is_what_was_tested() -> None:
    shared = {pin.name for pin, _ in entries("requirements.lock")}
    tested = {pin for pin in pins("requirements-dev.lock") if re.split("==", pin)[0] in shared}
    assert pins("requirements.lock") == tested


def test_what_is_packaged_is_what_runs_without_the_tools_that_build_it() -> None:
    packaged, running = pins("requirements-package.lock"), pins("requirements.lock")
    shared = {pin.name for pin, _ in entries("requirements.lock")}
    assert {pin for pin in packaged if re.split("==", pin)[0] in shared} <= running
    assert not {"hatchling", "pip"} & {pin.split("==")[0] for pin in packaged}


@pytest.mark.parametrize(
    ("lock", "wanted"),
    [
        ("requirements.lock", PROJECT["project"]["dependencies"]),
        ("requirements.lock", PROJECT["dependency-groups"]["build"]),
        ("requirements-package.lock", PROJECT["project"]["dependencies"]),
        ("requirements-package.lock", PROJECT["project"]["optional-dependencies"]["gpio"]),
        ("requirements-dev.lock", PROJECT["dependency-groups"]["dev"]),
    ],
)
def test_every_requirement_of_the_project_is_locked_as_it_allows(
    lock: str, wanted: list[str | dict[str, str]]
) -> None:
    locked = {canonicalize_name(pin.name): pin for pin, _ in entries(lock)}
    for requirement in (Requirement(entry) for entry in wanted if isinstance(entry, str)):
        (pin,) = locked[canonicalize_name(requirement.name)].specifier
        assert requirement.specifier.contains(pin.version), requirement
