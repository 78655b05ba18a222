"""A table asks a room's pages for the version that it offers; a real room, over real HTTP."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from controller.install.updating.bundle import open_bundle
from controller.install.updating.following import FollowError, Following
from controller.install.updating.kept import Kept, Last
from controller.install.updating.machine import Machine
from controller.install.updating.update_command import offer_of
from controller.room.offered import TURN_S, Turns
from tests.install.updating.bundles import MADE_FOR, a_bundle, public
from tests.web.clockroom import ClockRoom, clock_room

OFFERED = "0.9.0+deb12"


class Table(Machine):
    """A machine for which the bundles of the tests are made."""

    def __init__(self, log: Path, version: str) -> None:
        super().__init__(log, "")
        self._version = version

    def made_for(self) -> str:
        return MADE_FOR

    def installed(self) -> dict[str, str]:
        return {"cutcard": self._version, "cutcard-table": self._version}


@contextmanager
def a_room(folder: Path) -> Iterator[ClockRoom]:
    """It offers a bundle, and its clock stands."""
    bundle = open_bundle(a_bundle(folder), public())
    Kept(folder / "room").offer(bundle.file, offer_of(bundle), bundle.made_for)
    with clock_room(bundles=folder / "room/bundles") as room:
        room.act("pause")
        yield room


def following(room: ClockRoom, folder: Path, version: str, table: str = "T1") -> Following:
    kept = Kept(folder / table)
    kept.folder.mkdir(exist_ok=True)
    return Following(room.url, Table(folder / "log", version), kept, table)


def test_a_newer_version_is_fetched_and_an_older_one_is_not(tmp_path: Path) -> None:
    with a_room(tmp_path) as room:
        table = following(room, tmp_path, "0.8.0+deb12")
        coming = table.what_comes()
        assert coming is not None
        assert coming.version == OFFERED
        assert open_bundle(table.fetch(coming), public()).version == OFFERED
        assert following(room, tmp_path, OFFERED).what_comes() is None
        assert following(room, tmp_path, "1.0.0+deb12").what_comes() is None


def test_one_that_was_rolled_back_here_is_not_taken_again(tmp_path: Path) -> None:
    with a_room(tmp_path) as room:
        table = following(room, tmp_path, "0.8.0+deb12")
        Kept(tmp_path / "T1").say(Last("0.8.0+deb12", OFFERED, "undone", "", "it crashed"))
        assert table.what_comes() is None
        Kept(tmp_path / "T1").say(Last("0.8.0+deb12", "0.8.5+deb12", "undone", ""))
        assert table.what_comes() is not None


def test_one_table_at_a_time(tmp_path: Path) -> None:
    with a_room(tmp_path) as room:
        one = following(room, tmp_path, "0.8.0", "T1")
        other = following(room, tmp_path, "0.8.0", "T2")
        with one.turn() as first:
            with other.turn() as second:
                assert (first, second) == ("", "table T1")
            with one.turn() as again:  # it was restarted in the middle
                assert again == ""
        with other.turn() as third:
            assert third == ""


def test_no_table_while_the_clock_runs(tmp_path: Path) -> None:
    with a_room(tmp_path) as room:
        room.act("resume")
        with following(room, tmp_path, "0.8.0").turn() as holder:
            assert holder == "the tournament's clock is running"


def test_a_bundle_that_is_not_what_the_room_says_is_refused(tmp_path: Path) -> None:
    with a_room(tmp_path) as room:
        table = following(room, tmp_path, "0.8.0")
        coming = table.what_comes()
        assert coming is not None
        file = tmp_path / "room/bundles/debian12-amd64.zip"
        file.write_bytes(file.read_bytes()[:-1] + b"?")
        with pytest.raises(FollowError, match="the bundle came damaged"):
            table.fetch(coming)


def test_a_room_without_a_bundle_or_no_room_at_all(tmp_path: Path) -> None:
    with clock_room(bundles=tmp_path / "none") as room:
        assert following(room, tmp_path, "0.8.0").what_comes() is None
        gone = following(room, tmp_path, "0.8.0")
    with pytest.raises(FollowError, match="no room at http://127"):
        gone.what_comes()


def test_a_table_that_does_not_come_back_has_had_its_turn() -> None:
    now = [0.0]
    turns = Turns(lambda: now[0])
    assert turns.take("T1") == "T1"
    turns.give_back("T2")
    assert turns.take("T2") == "T1"
    now[0] = TURN_S
    assert turns.take("T2") == "T2"
