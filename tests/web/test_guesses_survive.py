"""Wrong PINs count on after a `kill -9` of the room's own process."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from controller.broker.own import RunningBroker
from controller.people.pins import FIRST_WAIT_S, hashed
from controller.people.staff import ADDRESS_TRIES, Kept, Person
from controller.people.staff_store import StaffStore, staff_file
from tests.waiting import PATIENCE_S
from tests.web.hall import Hall, ours
from tests.web.room_process import room

PIN = "471142"
Answer = tuple[int, str, int]


@pytest.fixture
def tried(broker: RunningBroker, tmp_path: Path) -> Callable[..., list[Answer]]:
    """Starts the room, tries these names and PINs, and kills it: status, why not, how long to
    wait."""
    store = tmp_path / "room.sqlite"
    people = StaffStore.open(staff_file(store))
    people.add(Person("Ann", "admin", hashed(PIN)))
    people.close()

    def run(*tries: tuple[str, str]) -> list[Answer]:
        answers = []
        with (
            room(broker, store, env={}) as (url, _),
            httpx.Client(base_url=url, timeout=PATIENCE_S) as one,
        ):
            for name, pin in tries:
                said = one.post("login", json={"name": name, "pin": pin}, headers=ours(url))
                told = said.json()
                answers.append((said.status_code, told.get("why", ""), told.get("wait_s", 0)))
        return answers

    return run


def test_of_a_name(tried: Callable[..., list[Answer]]) -> None:
    wrong = ("Ann", "0000")
    assert tried(wrong, wrong) == [(403, "wrong", 0)] * 2
    ((status, why, wait_s),) = tried(wrong)
    assert (status, why) == (403, "wrong")
    assert FIRST_WAIT_S / 2 < wait_s <= FIRST_WAIT_S
    ((status, why, wait_s),) = tried(("Ann", PIN))
    assert (status, why) == (429, "wait")
    assert 0 < wait_s <= FIRST_WAIT_S


def test_of_an_address(tried: Callable[..., list[Answer]]) -> None:
    names = [(f"name {number}", "0000") for number in range(ADDRESS_TRIES)]
    assert {why for _, why, _ in tried(*names)} == {"wrong"}
    assert [each[:2] for each in tried(("Ann", PIN))] == [(429, "wait")]


def test_a_pin_counts_as_wrong_before_it_is_looked_at(
    fresh_hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    hall, kept = fresh_hall, list[Kept]()
    hall.cookie("floor", "Ann", hashed(PIN))

    def check(_kept: str, _pin: str) -> bool:
        kept.extend(hall.get(lambda: hall.door.store.guesses("name")))
        kept.extend(hall.get(lambda: hall.door.store.guesses("address")))
        return False

    monkeypatch.setattr("controller.people.door._check", check)
    with hall.client() as client:
        client.post("login", json={"name": "Ann", "pin": PIN})
    assert [(each.who, each.wrong) for each in kept] == [("Ann", 1), ("127.0.0.1", 1)]
