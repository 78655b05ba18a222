"""What can be told of the Debian packages and the bundle without building them."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
import tomllib
from pathlib import Path
from xml.etree import ElementTree

import pytest
from nacl.signing import SigningKey

from bundle.manifest import key_in, write
from controller.pairing.words import PORT, SERVICE

ROOT = Path(__file__).parents[2]
DEBIAN = ROOT / "debian"
PACKAGES = ("cutcard", "cutcard-table", "cutcard-room", "cutcard-wall")
SCRIPTS = [
    *DEBIAN.glob("*.post*"),
    *(DEBIAN / each for each in ("build", "room-set-up", "set-aside")),
    *(ROOT / "bundle" / each for each in ("build", "install")),
]
UNITS = ROOT / "systemd"
UNIT = (".service", ".timer")
PROGRAM = "/opt/cutcard/bin/cutcard"
OF_DEBIAN = {"mosquitto": "/usr/sbin/mosquitto", "systemd": "/usr/bin/systemctl"}


def paragraphs() -> dict[str, str]:
    """Return the paragraph of each package in debian/control."""
    text = (DEBIAN / "control").read_text("utf-8")
    return {each.split("\n")[0]: each for each in text.split("\nPackage: ")[1:]}


def shipped(package: str) -> dict[str, str]:
    """Return what a package has of the checkout: the file → its folder."""
    lines = (DEBIAN / f"{package}.install").read_text("utf-8").splitlines()
    return dict(line.split() for line in lines)


def test_there_are_four_packages_of_one_version() -> None:
    found = paragraphs()
    assert set(found) == set(PACKAGES)
    for name in PACKAGES[1:]:
        assert "cutcard (= ${binary:Version})" in found[name]
        assert "Architecture: all\n" in found[name]
    assert "Architecture: any\n" in found["cutcard"]


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
@pytest.mark.parametrize("shell", [each for each in ("dash", "bash") if shutil.which(each)])
def test_scripts_parse(script: Path, shell: str) -> None:
    done = subprocess.run([shell, "-n", script], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("package", PACKAGES)
def test_what_debhelper_adds_has_a_place_in_each_script(package: str) -> None:
    for script in DEBIAN.glob(f"{package}.post*"):
        assert "\n#DEBHELPER#\n" in script.read_text("utf-8"), script
    postrm = (DEBIAN / f"{package}.postrm").read_text("utf-8")
    assert "\n#SET-ASIDE#\n" in postrm
    assert "rm -r" not in postrm


@pytest.mark.parametrize("package", PACKAGES)
def test_every_file_that_is_shipped_is_there(package: str) -> None:
    for file in shipped(package):
        assert (ROOT / file).is_file()


def test_every_unit_of_table_and_room_is_shipped_with_what_it_names() -> None:
    units = [file for each in PACKAGES for file in shipped(each) if file.startswith("systemd/")]
    left_out = {"cutcard-screen.service"}  # a browser: docs/room.md
    every = {f"systemd/{path.name}" for path in UNITS.iterdir() if path.suffix in UNIT}
    assert set(units) == every - {f"systemd/{each}" for each in left_out}
    for file in units:
        text = (ROOT / file).read_text("utf-8")
        for program in re.findall(r"^Exec\w+=(/\S+)", text, re.MULTILINE):
            own = f"debian/{Path(program).name}"
            is_ours = program == PROGRAM or f"/{shipped('cutcard-room').get(own)}/" in program
            assert is_ours or program in ("/bin/sh", *OF_DEBIAN.values())
        for other in re.findall(r"cutcard-\w+\.(?:service|timer)", text):
            assert f"systemd/{other}" in units


def test_a_room_is_announced_where_tables_look_for_it() -> None:
    text = (DEBIAN / "cutcard-avahi.service").read_text("utf-8")
    assert f"<type>{SERVICE}</type>" in text
    assert f"<port>{PORT}</port>" in text
    ElementTree.fromstring(text)  # noqa: S314 - ours
    assert "etc/avahi/services/cutcard.service" in (DEBIAN / "rules").read_text("utf-8")


def test_debians_own_programs_are_asked_for() -> None:
    assert re.search(r"^Depends:.*\bmosquitto\b", paragraphs()["cutcard-room"], re.MULTILINE)
    assert "udev" in paragraphs()["cutcard-table"]  # the groups of the screen: render, input


def test_the_command_is_the_one_that_the_project_names() -> None:
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["scripts"]
    module, function = scripts["cutcard"].split(":")
    assert f"from {module} import {function}\n" in (DEBIAN / "cutcard.py").read_text("utf-8")


def test_the_version_is_said_in_one_place() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert not (DEBIAN / "changelog").exists()
    assert "hatchling version" in (DEBIAN / "build").read_text("utf-8")
    for file in (*DEBIAN.glob("*"), *(ROOT / "bundle").glob("*")):
        if file.is_file():
            assert project["version"] not in file.read_text("utf-8"), file


def test_the_manifest_names_each_file_and_is_signed(tmp_path: Path) -> None:
    folder = tmp_path / "a bundle"
    folder.mkdir()
    (folder / "install").write_text("#!/bin/sh\n")
    (folder / "x_1+deb12_all.deb").write_bytes(b"package")
    key = SigningKey.generate()
    write(folder, "1.2", "debian12 amd64", key)
    text = (folder / "manifest.json").read_bytes()
    key.verify_key.verify(text, (folder / "manifest.sig").read_bytes())
    assert json.loads(text) == {
        "cutcard": "1.2",
        "for": "debian12 amd64",
        "files": {
            "install": hashlib.sha256(b"#!/bin/sh\n").hexdigest(),
            "x_1+deb12_all.deb": hashlib.sha256(b"package").hexdigest(),
        },
    }


def test_a_key_is_made_once_for_its_owner_alone(tmp_path: Path) -> None:
    file = tmp_path / "bundle.key"
    first = key_in(file)
    assert bytes(key_in(file)) == bytes(first)
    assert file.stat().st_mode & 0o777 == 0o600
    assert bytes(first).hex() not in (tmp_path / "bundle.key.pub").read_text("ascii")


@pytest.mark.skipif(shutil.which("openssl") is None, reason="no openssl")
def test_openssl_tells_a_manifest_from_one_that_was_changed(tmp_path: Path) -> None:
    (tmp_path / "bundle").mkdir()
    write(tmp_path / "bundle", "1", "debian12 amd64", key_in(tmp_path / "key"))
    command = ["openssl", "pkeyutl", "-verify", "-pubin", "-inkey", "../key.pub", "-rawin"]
    command += ["-in", "manifest.json", "-sigfile", "manifest.sig"]
    assert " ".join(command[:4]) in (ROOT / "docs" / "packages.md").read_text("utf-8")

    def holds() -> bool:
        where = tmp_path / "bundle"
        return not subprocess.run(command, cwd=where, capture_output=True, check=False).returncode

    assert holds()
    (tmp_path / "bundle" / "manifest.json").write_text("{}")
    assert not holds()


def install(folder: Path, *words: str) -> tuple[int, str]:
    command = ["/bin/sh", str(folder / "install"), *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize("words", [[], ["tabel"], ["--help"]])
def test_install_wants_to_know_what(words: list[str]) -> None:
    status, said = install(ROOT / "bundle", *words)
    assert (status, "sh install table, or room, or room wall" in said) == (2, True)


def test_the_first_start_runs_install_where_the_boot_partition_is() -> None:
    text = (ROOT / "bundle" / "user-data").read_text("utf-8")
    assert text.startswith("#cloud-config\n")
    assert "[sh, /boot/firmware/cutcard/install, table]" in text
