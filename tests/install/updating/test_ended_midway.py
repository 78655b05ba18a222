"""An update that is ended at any moment leaves what ran running, or a rollback that starts it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
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
        self.half = False
        self.cant_start = False
        self.crashing = set[str]()

    def whole(self) -> str:
        return "" if self.half else self.version

    def installed(self) -> dict[str, str]:
        return {"cutcard": self.version}

    def standing(self, *, examine: bool) -> Standing:  # noqa: ARG002
        rest = {n: Unit("failed" if n in self.crashing else "inactive") for n in UNITS}
        return Standing(rest | {n: Unit("active") for n in self.up})

    def stop(self, units: Sequence[str]) -> None:
        self.up -= set(units)

    def start(self, units: Sequence[str]) -> None:
        if self.cant_start:
            raise MachineError("systemctl failed")
        self.up |= set(units)

    def install(self, folder: Path, packages: Sequence[str]) -> None:  # noqa: ARG002
        self.version = NEW

    def put_back(self, packages: Sequence[Path]) -> None:  # noqa: ARG002
        self.version, self.half = OLD, False


def ended(*_: object, **__: object) -> None:
    raise KeyboardInterrupt


def half_installed(services: Services, *_: object) -> None:
    services.half = True
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

    def is_ended(self, of: object, name: str, how: Callable[..., None]) -> None:
        """An update that is ended as it calls this."""
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(of, name, how)
            with pytest.raises(KeyboardInterrupt):
                self.updater.update(self.bundle)

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
    assert all_of_it.kept.stopped.units == ()


def test_ended_as_it_saves(all_of_it: Machinery) -> None:
    all_of_it.is_ended(steps, "save", ended)
    assert all_of_it.services.up == set(RAN)
    assert all_of_it.kept.last is None


def killed_as_it_saves(all_of_it: Machinery) -> None:
    """Nothing is started any more after that."""

    def killed(*_: object, **__: object) -> None:
        all_of_it.services.cant_start = True
        raise KeyboardInterrupt

    all_of_it.is_ended(steps, "save", killed)
    all_of_it.services.cant_start = False
    assert all_of_it.services.up == {"cutcard-broker", "cutcard-wall"}


def test_killed_as_it_saves_the_next_command_starts_what_ran(all_of_it: Machinery) -> None:
    killed_as_it_saves(all_of_it)
    all_of_it.updater.recover()
    assert all_of_it.services.up == set(RAN)
    assert all_of_it.kept.stopped.units == ()


def test_what_another_run_of_the_machine_stopped_is_left_to_systemd(
    all_of_it: Machinery, monkeypatch: pytest.MonkeyPatch
) -> None:
    killed_as_it_saves(all_of_it)
    monkeypatch.setattr(steps, "this_boot", lambda: "another")
    all_of_it.updater.recover()
    assert all_of_it.services.up == {"cutcard-broker", "cutcard-wall"}
    assert all_of_it.kept.stopped.units == ()


def test_what_can_not_be_started_keeps_no_update_away(all_of_it: Machinery) -> None:
    killed_as_it_saves(all_of_it)
    all_of_it.services.cant_start = True
    all_of_it.updater.recover()
    assert all_of_it.told[-1] == "systemctl failed"
    all_of_it.services.cant_start = False
    all_of_it.updater.update(all_of_it.bundle)
    assert all_of_it.last().how == "done"


def test_ended_as_it_installs_only_a_rollback_goes_on(all_of_it: Machinery) -> None:
    all_of_it.is_ended(Services, "install", half_installed)
    assert "sudo cutcard rollback" in all_of_it.told[-1]
    with pytest.raises(UpdateError, match="cut short: sudo cutcard rollback"):
        all_of_it.updater.update(all_of_it.bundle)
    assert all_of_it.services.up == {"cutcard-broker", "cutcard-wall"}
    all_of_it.updater.recover()
    assert (all_of_it.last().how, all_of_it.last().with_data) == ("begun", True)
    all_of_it.updater.go_back(all_of_it.last(), with_data=True)
    assert all_of_it.services.up == set(RAN)
    assert all_of_it.services.version == OLD
    assert (all_of_it.last().how, all_of_it.kept.stopped.units) == ("undone", ())


def test_killed_before_it_installs_there_was_none(all_of_it: Machinery) -> None:
    """The data since must not be set aside for it."""
    all_of_it.is_ended(Services, "install", ended)
    assert all_of_it.last().how == "begun"
    all_of_it.updater.recover()
    assert all_of_it.kept.last is None
    assert all_of_it.services.up == set(RAN)


def test_ended_as_it_watches_the_new_version_stays_and_so_does_its_data(
    all_of_it: Machinery,
) -> None:
    all_of_it.is_ended(Updater, "_watch", ended)
    all_of_it.updater.recover()
    assert (all_of_it.last().how, all_of_it.last().to) == ("done", NEW)
    assert all_of_it.services.up == set(RAN)


def test_a_rollback_starts_what_did_not_run_any_more(all_of_it: Machinery) -> None:
    """It is why one goes back."""
    all_of_it.updater.update(all_of_it.bundle)
    all_of_it.services.crashing = {"cutcard-table"}
    all_of_it.services.up -= {"cutcard-table"}
    all_of_it.updater.go_back(all_of_it.last(), with_data=False)
    assert all_of_it.services.up == set(RAN)


def test_a_rollback_that_can_start_nothing_says_so(all_of_it: Machinery) -> None:
    all_of_it.updater.update(all_of_it.bundle)
    all_of_it.services.cant_start = True
    with pytest.raises(UpdateError, match="is here again, but systemctl failed"):
        all_of_it.updater.go_back(all_of_it.last(), with_data=False)
    assert all_of_it.last().how == "undone"
    all_of_it.services.cant_start = False
    all_of_it.updater.recover()
    assert all_of_it.services.up == set(RAN)


def test_a_way_back_that_was_ended_is_gone_on_with_by_a_rollback_alone(
    all_of_it: Machinery, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The backup has the only data from before."""
    all_of_it.updater.update(all_of_it.bundle)
    with monkeypatch.context() as patch:
        patch.setattr(Services, "put_back", ended)
        with pytest.raises(KeyboardInterrupt):
            all_of_it.updater.go_back(all_of_it.last(), with_data=False)
    assert "sudo cutcard rollback" in all_of_it.told[-1]
    last = all_of_it.last()
    assert (last.how, last.returning, last.with_data) == ("begun", True, False)
    all_of_it.updater.recover()
    assert all_of_it.services.up == set()
    with pytest.raises(UpdateError, match="cut short"):
        all_of_it.updater.update(all_of_it.bundle)
    all_of_it.updater.go_back(all_of_it.last(), with_data=all_of_it.last().with_data)
    assert all_of_it.services.up == set(RAN)
    assert all_of_it.last().how == "undone"


def test_a_hand_that_begins_just_then_goes_on(
    all_of_it: Machinery, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(steps, "why_busy", lambda _root: "hand 3 is being played")
    with pytest.raises(UpdateError, match="hand 3"):
        all_of_it.updater.update(all_of_it.bundle)
    assert all_of_it.services.up == set(RAN)
    assert all_of_it.kept.stopped.units == ()
