"""`cutcard pico build`: what it asks of apt and cmake. Neither is run: that takes minutes."""

from __future__ import annotations

import hashlib
import re
import shutil
from pathlib import Path

import pytest

from controller.install.pico import build, sources, stock
from controller.install.pico.sources import BuildError, Part
from firmware_bridge.flashing import firmware
from firmware_bridge.flashing.chips import CHIPS
from tests.flashing import image

PICO = CHIPS[0]


class Cmake:
    """Builds what says of itself what the compiler was told to say."""

    def __init__(self, folder: Path, *, forgets: bool = False) -> None:
        self.said: list[list[str]] = []
        self._folder, self._forgets = folder, forgets

    def run(self, command: list[str], *, environment: dict[str, str], log: Path) -> str:
        self.said.append(command)
        assert log.parent == self._folder
        told = re.search(r'PICO_PROGRAM_DESCRIPTION=\\"(.+?)\\"', environment["CFLAGS"])
        assert told
        if "--build" in command:
            into = Path(command[command.index("--build") + 1])
            into.mkdir(parents=True)
            said = "" if self._forgets else told[1]
            (into / "firmware.bin").write_bytes(image.binary(description=said))
        return ""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where everything was fetched before, on a computer that has every program."""
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / "fetched").touch()
    monkeypatch.setattr(shutil, "which", lambda name: f"/usr/bin/{name}")
    return tmp_path / "kept"


def test_the_firmware_is_frozen_and_the_build_says_which(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cmake = Cmake(folder)
    monkeypatch.setattr(build, "run", cmake.run)
    told: list[str] = []
    build.build([PICO], tmp_path / "out", told.append, keep=folder)
    known = firmware.read_base(stock.built_file(PICO, tmp_path / "out"))
    assert known.frozen
    assert known.sha256 in told[-1]
    configure, _ = cmake.said
    assert f"-DMICROPY_BOARD={PICO.board}" in configure
    (manifest,) = (word for word in configure if word.startswith("-DMICROPY_FROZEN_MANIFEST="))
    frozen = Path(manifest.partition("=")[2]).read_text("utf-8").splitlines()
    assert frozen == ['freeze("$(PORT_DIR)/modules")', f'freeze("{folder / "firmware"}")']
    laid = {path.name: path.read_bytes() for path in (folder / "firmware").iterdir()}
    assert laid == firmware.sources()
    assert "wiring.py" not in laid


def test_a_build_that_does_not_say_what_is_in_it_is_not_kept(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(build, "run", Cmake(folder, forgets=True).run)
    with pytest.raises(BuildError, match="does not say which firmware"):
        build.build([PICO], tmp_path / "out", lambda _: None, keep=folder)
    assert not list((tmp_path / "out").iterdir())


def test_what_apt_brings_is_compared_with_the_sum_that_is_pinned(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[list[str]] = []

    def apt(command: list[str], *, folder: Path | None = None, **_: object) -> str:
        asked.append(command)
        if folder is not None:
            (folder / "thing_1.orig.tar.xz").write_bytes(b"sources")
        return "Debian Debian http://mirror.example/debian/\n"

    monkeypatch.setattr(sources, "run", apt)
    got = sources._Apt(tmp_path)
    right = hashlib.sha256(b"sources").hexdigest()
    part = Part("thing", "1-1", "thing_1.orig.tar.xz", right)
    assert got.get(part).read_bytes() == b"sources"
    assert asked[-1][-2:] == ["source", "thing=1-1"]
    listed = (tmp_path / "sources.list").read_text("utf-8")
    assert f"deb-src [signed-by={sources.KEYS}] http://mirror.example/debian/ trixie main" in listed
    with pytest.raises(BuildError, match=f"has not the SHA-256 {'0' * 64}"):
        got.get(Part("thing", "1-1", "thing_1.orig.tar.xz", "0" * 64))
    with pytest.raises(BuildError, match=r"trixie has no other\.deb of thing"):
        got.get(Part("thing", "", "other.deb", binary=True))
    assert asked[-1][-2:] == ["download", "thing"]
