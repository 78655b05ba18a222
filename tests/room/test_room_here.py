"""Which room a command of its machine is for."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.room.commands import here
from controller.room.commands.here import room_here


@pytest.fixture
def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of the room that systemd starts."""
    folder = tmp_path / "cutcard-room"
    folder.mkdir()
    monkeypatch.setattr(here, "SERVICE_STATE", folder)
    monkeypatch.delenv("STATE_DIRECTORY", raising=False)
    return folder


def test_it_is_the_one_that_systemd_starts_also_where_its_settings_are_given(
    service: Path, tmp_path: Path
) -> None:
    """`cutcard setup room` writes settings that do not name the store: the unit does."""
    (tmp_path / "room.toml").write_text('[room]\nlanguage = "de"\n')
    for config in (None, tmp_path / "room.toml"):
        found = room_here(config)
        assert found.store == service / "room.sqlite"
        assert found.history is not None
        assert found.history.store == str(service / "history.sqlite")


def test_what_is_said_goes_before(service: Path, tmp_path: Path) -> None:
    (tmp_path / "room.toml").write_text('[room]\nstore = "own.sqlite"\n')
    assert room_here(tmp_path / "room.toml").store == tmp_path / "own.sqlite"
    assert room_here(None, tmp_path / "other.sqlite").store == tmp_path / "other.sqlite"
    assert not [*service.iterdir()]


def test_where_there_is_none_it_is_ones_own(service: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    service.rmdir()
    monkeypatch.setenv("XDG_STATE_HOME", "/state")
    assert room_here(None).store == Path("/state/cutcard/room.sqlite")
