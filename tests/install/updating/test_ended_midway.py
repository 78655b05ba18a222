"""An update that is ended at any moment leaves what ran running, or a rollback that starts it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from controller.install.updating import steps
from controller.install.updating.bundle import open_bundle
from controller.install.updating.kept import Kept, Last
from controller.install.updating.machine import UNITS, Machine, MachineError
from controller.install.updating.standing import Standing, Unit
from controller.install.updating.steps import UpdateError, Updater
from tests.install.updating.bundles import a_bundle, public

OLD, NEW = "0.8.0+deb12", "0.9.0+deb12"
RAN = ("cutcard-broker", "cutcard-table", "cutcard-wall")


class Services(Machine):
    """What systemd and dpkg would do, noted alone."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder / "log", "")
        self.up = set(RAN)
        self.version = OLD
        self.cant_start = False

    def installed(self) -> dict[str, str]:
        return {"cutcard": self.version}

    def standing(self, *, examine: bool) -> Standing:  # noqa: ARG002
        return Standing({n: Unit("active" if n in self.up else "inactive") for n in UNITS})

    def stop(self, units: Sequence[str]) -> None:
        self.up -= set(units)

    def start(self, units: Sequence[str]) -> None:
        if self.cant_start:
            raise MachineError("systemctl failed")
        self.up |= set(units)

    def install(self, folder: Path, packages: Sequence[str]) -> None:  # noqa: ARG002
        self.version = NEW

    def put_back(self, packages: Sequence[Path]) -> None:  # noqa: ARG002
        self.version = OLD


def ended(*_: object, **__: object) -> None:
    raise KeyboardInterrupt


class Machinery:
    """An updater of a machine with the old version, whose data saves at once."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.services = Services(folder)
        self.kept = Kept(folder / "update")
        package = folder / "cutcard_old.deb"
        package.write_bytes(b"p")
        self.kept.keep(OLD, [package])
        self.bundle = open_bundle(a_bundle(folder), public())
        self.told: list[str] = []
        self.updater = Updater(self.services, self.kept, self.told.append, host="h", watched_s=0.1)
        monkeypatch.setattr(steps, "ROOT", folder)
        monkeypatch.setattr(steps, "save", lambda *_, **__: None)

    def last(self) -> Last:
        last = self.kept.last
        assert last is not None
        return last


@pytest.fixture
def all_of_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machinery:
    return Machinery(tmp_path, monkeypatch)


def test_not_ended_it_is_done(all_of_it: Machinery) -> None:
    all_of_it.updater.update(all_of_it.bundle)
    assert all_of_it.services.up == set(RAN)
    assert all_of_it.services.version == NEW
    assert all_of_it.last().how == "done"
    assert all_of_it.kept.ran == ()


def test_ended_as_it_saves(all_of_it: Machinery, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(steps, "save", ended)
    with pytest.raises(KeyboardInterrupt):
        all_of_it.updater.update(all_of_it.bundle)
    assert all_of_it.services.up == set(RAN)
    assert all_of_it.kept.last is None


def test_killed_as_it_saves_the_next_one_starts_what_ran(
    all_of_it: Machinery, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(*_: object, **__: object) -> None:
        all_of_it.services.cant_start = True
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(steps, "save", killed)
        with pytest.raises(MachineError):
            all_of_it.updater.update(all_of_it.bundle)
    assert all_of_it.services.up == {"cutcard-broker", "cutcard-wall"}
    all_of_it.services.cant_start = False
    all_of_it.updater.update(all_of_it.bundle)
    assert all_of_it.services.up == set(RAN)


@pytest.mark.parametrize("at", ["install", "_watch"])
def test_ended_later_a_rollback_starts_what_ran(
    at: str, all_of_it: Machinery, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(Services if at == "install" else Updater, at, ended)
        with pytest.raises(KeyboardInterrupt):
            all_of_it.updater.update(all_of_it.bundle)
    assert "sudo cutcard rollback" in all_of_it.told[-1]
    assert all_of_it.last().how == "begun"
    all_of_it.updater.go_back(all_of_it.last(), with_data=True)
    assert all_of_it.services.up == set(RAN)
    assert all_of_it.services.version == OLD
    assert (all_of_it.last().how, all_of_it.kept.ran) == ("undone", ())


def test_a_rollback_that_could_start_nothing_is_not_done_yet(all_of_it: Machinery) -> None:
    all_of_it.updater.update(all_of_it.bundle)
    all_of_it.services.cant_start = True
    with pytest.raises(UpdateError, match="sudo cutcard rollback tries once more"):
        all_of_it.updater.go_back(all_of_it.last(), with_data=False)
    assert all_of_it.last().how != "undone"
    all_of_it.services.cant_start = False
    all_of_it.updater.go_back(all_of_it.last(), with_data=False)
    assert all_of_it.services.up == set(RAN)
    assert all_of_it.last().how == "undone"


def test_a_hand_that_begins_just_then_goes_on(
    all_of_it: Machinery, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(steps, "why_busy", lambda _root: "hand 3 is being played")
    with pytest.raises(UpdateError, match="hand 3"):
        all_of_it.updater.update(all_of_it.bundle)
    assert all_of_it.services.up == set(RAN)
    assert all_of_it.kept.ran == ()
