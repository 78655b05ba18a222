"""The language that a dealer chose is there after a restart."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from controller.files.settings import config_dir
from display.dealer import command
from display.dealer.drawn.window import Window
from display.dealer.kept import NAME, Kept, place
from display.dealer.texts import load
from tests.display_dealer.bench import Table


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    return tmp_path


def shown(folder: Path, *taps: str, language: str = "en") -> str:
    """The language of `cutcard dealer` at its end, once these have been tapped."""
    path = folder / f"{time.monotonic_ns()}.sock"
    Table(path)
    seen: list[str] = []

    class Tapped(Window):
        def run_until_told(self) -> None:
            self.step(0.1)
            self.step(0)
            for name in taps:
                self._press(name, time.monotonic())
                self.step(0)
            seen.append(self._texts.language)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(command, "Window", Tapped)
        assert command.main(["--socket", str(path), "--language", language]) == 0
    return seen[0]


def test_it_is_kept_over_a_restart(folder: Path) -> None:
    assert shown(folder, "pick-language:de") == "de"
    assert shown(folder) == "de"
    assert (folder / NAME).stat().st_size < 100


def test_what_is_set_up_anew_goes_before_it(folder: Path) -> None:
    assert shown(folder, "pick-language:de") == "de"
    assert shown(folder, language="es") == "es"


def test_without_a_folder_nothing_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("STATE_DIRECTORY", raising=False)
    assert shown(tmp_path, "pick-language:de") == "de"
    assert shown(tmp_path) == "en"
    assert place({}) is None


@pytest.mark.parametrize(
    "damage", [b"", b"\xff\xfe", b"[]", b'{"language":"xx","instead_of":"en"}', b"{" * 9000]
)
def test_a_damaged_file_is_as_none(folder: Path, damage: bytes) -> None:
    (folder / NAME).write_bytes(damage)
    assert shown(folder) == "en"


def test_a_full_disk_is_said_and_survived(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_file: Path, _data: bytes) -> int:
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(Path, "write_bytes", full)
    assert shown(folder, "pick-language:fr") == "fr"
    assert "the language is not saved: " in capsys.readouterr().err


def test_nothing_half_written_is_left(folder: Path) -> None:
    kept = Kept(folder / NAME, "en")
    for language in ("de", "es", "fr"):
        assert kept.choose(language) == ""
        assert Kept(folder / NAME, "en").language == language
        assert load(language, config_dir()).language == language
    assert [each.name for each in folder.iterdir()] == [NAME]
