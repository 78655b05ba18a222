"""The people on the disk, with two programs at it."""

from __future__ import annotations

import sqlite3
import stat
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from controller.people.staff import Guesses, Holds, Kept, Person
from controller.people.staff_store import MOST_SESSIONS, Done, StaffError, StaffStore, staff_file

ANN, BOB = Person("Ann", "admin", "$argon2-ann"), Person("Bob", "floor", "$argon2-bob", ("T1",))
HOLDS, NOW = Holds(), 1_000_000.0


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return staff_file(tmp_path / "deep" / "room.sqlite")


@pytest.fixture
def store(file: Path) -> Iterator[StaffStore]:
    store = StaffStore.open(file)
    store.add(ANN)
    store.add(BOB)
    yield store
    store.close()


def test_people_come_back_and_the_file_is_its_owners(file: Path, store: StaffStore) -> None:
    store.close()
    again = StaffStore.open(file)
    assert again.people() == (ANN, BOB)
    assert again.key == store.key
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    for each in file.parent.glob("people.sqlite*"):
        assert stat.S_IMODE(each.stat().st_mode) == 0o600
    again.close()


def test_a_session_outlives_the_room_and_its_token_is_not_on_the_disk(
    file: Path, store: StaffStore
) -> None:
    token = store.sign_in("Bob", "10.0.0.7", NOW)
    store.close()
    again = StaffStore.open(file)
    found = again.session(token, HOLDS, NOW + 60)
    assert found is not None
    assert found[1] == BOB
    assert again.session(found[0].id, HOLDS, NOW) is None
    assert again.session(token + "x", HOLDS, NOW) is None
    again.close()
    assert token.encode() not in b"".join(f.read_bytes() for f in file.parent.iterdir())


def test_wrong_tries_come_back(file: Path, store: StaffStore) -> None:
    store.keep_guesses("name", "Ann", Guesses(3, 115.5, 100.0), NOW)
    store.keep_guesses("name", "Bob", Guesses(1, 0.0, 90.0), NOW - 10)
    store.keep_guesses("address", "Ann", Guesses(9, 0.0, 100.0), NOW)
    store.keep_guesses("name", "Bob", Guesses(2, 0.0, 95.0), NOW - 5)
    again = StaffStore.open(file)
    assert again.guesses("name") == (Kept("Bob", 2, 0.0, NOW - 5), Kept("Ann", 3, 115.5, NOW))
    again.keep_guesses("name", "Ann", None, NOW)
    assert [each.who for each in store.guesses("name")] == ["Bob"]
    assert [each.wrong for each in store.guesses("address")] == [9]
    again.close()


def test_a_file_of_before_goes_on(file: Path, store: StaffStore) -> None:
    store.close()
    with closing(sqlite3.connect(file)) as db:
        db.executescript("DROP TABLE guesses; PRAGMA user_version=1")
    again = StaffStore.open(file)
    assert (again.people(), again.guesses("name"), again.damaged) == ((ANN, BOB), (), "")
    again.close()


CHANGES: list[Callable[[StaffStore], object]] = [
    lambda store: store.remove("Bob"),
    lambda store: store.set_pin("Bob", "$argon2-new"),
    lambda store: store.set_role("Bob", "director"),
    lambda store: store.sign_out_all("Bob"),
]


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_by_another_program_ends_the_sessions_at_once(
    file: Path, store: StaffStore, change: Callable[[StaffStore], object]
) -> None:
    bob, ann = store.sign_in("Bob", "a", NOW), store.sign_in("Ann", "a", NOW)
    other = StaffStore.open(file)
    change(other)
    other.close()
    assert store.session(bob, HOLDS, NOW) is None
    assert store.session(ann, HOLDS, NOW) is not None


def test_another_person_of_the_same_name_has_nothing_of_the_first(store: StaffStore) -> None:
    token = store.sign_in("Bob", "a", NOW)
    store.remove("Bob")
    store.add(BOB)
    assert store.session(token, HOLDS, NOW) is None


def test_a_session_that_is_used_holds_on(store: StaffStore) -> None:
    token = store.sign_in("Bob", "a", NOW)
    later = NOW + 11 * 3600
    found = store.session(token, HOLDS, later)
    assert found is not None
    store.used(found[0], later)
    assert store.session(token, HOLDS, later + 11 * 3600) is not None
    assert store.session(token, HOLDS, later + 12 * 3600) is None
    assert [each.person for each in store.sessions(HOLDS, later)] == ["Bob"]
    assert store.sign_out(found[0].id)
    assert store.session(token, HOLDS, later) is None


def test_the_last_admin_stays(store: StaffStore) -> None:
    with pytest.raises(StaffError, match="the only admin"):
        store.remove("Ann")
    with pytest.raises(StaffError, match="the only admin"):
        store.set_role("Ann", "director")
    with pytest.raises(StaffError, match="already an admin"):
        store.add(Person("Eve", "admin", ""), first_admin=True)
    with pytest.raises(StaffError, match="already a 'Bob'"):
        store.add(BOB)
    with pytest.raises(StaffError, match=r"no 'Bop'; did you mean 'Bob'\?"):
        store.known("Bop")
    assert store.people() == (ANN, BOB)


def test_there_are_never_too_many_sessions(
    store: StaffStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert MOST_SESSIONS > 100
    monkeypatch.setattr("controller.people.staff_store.MOST_SESSIONS", 3)
    tokens = [store.sign_in("Bob", "a", NOW + number) for number in range(5)]
    there = [store.session(token, HOLDS, NOW + 5) is not None for token in tokens]
    assert there == [False, False, True, True, True]


def test_it_is_kept_who_did_what_for_its_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("controller.people.staff_store._SWEEP", 1)
    store = StaffStore.open(tmp_path / "people.sqlite", keep_audit_s=100)
    for at in (0.0, 50.0, 149.0):
        store.did(Done(at, "Ann", "admin", "10.0.0.7", "clock pause", "x" * 9_000, "ok"))
    assert [each.at for each in store.audit()] == [149.0, 50.0]
    assert len(store.audit()[0].about) == 2_000
    assert store.audit(person="Bob") == ()
    monkeypatch.setattr("controller.people.staff_store.MOST_AUDIT", 1)
    store.did(Done(149.0, "Bob", "floor", "10.0.0.7", "clock pause", "", "forbidden"))
    assert [each.person for each in store.audit()] == ["Bob"]
    store.close()


def test_a_damaged_file_is_set_aside(file: Path, store: StaffStore) -> None:
    store.close()
    file.write_bytes(b"\xa5" * 9_000)
    again = StaffStore.open(file)
    assert again.people() == ()
    assert again.damaged.endswith("people.sqlite.bad-1")
    assert again.key != store.key
    again.close()


def test_a_newer_file_is_left_alone(file: Path, store: StaffStore) -> None:
    store.close()
    with closing(sqlite3.connect(file)) as db, db:
        db.execute("PRAGMA user_version=99")
    with pytest.raises(StaffError, match="newer version"):
        StaffStore.open(file)


def test_where_there_can_be_no_file_it_says_why(tmp_path: Path) -> None:
    (tmp_path / "people.sqlite").mkdir()
    with pytest.raises(StaffError, match=r"people\.sqlite: "):
        StaffStore.open(tmp_path / "people.sqlite")
