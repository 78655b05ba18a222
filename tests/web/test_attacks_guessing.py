"""Somebody guesses: PINs, names, codes; one after another, many at once, from many addresses."""

from __future__ import annotations

import threading
import time
from functools import partial

import httpx
import pytest

from controller.people.pins import FIRST_WAIT_S, hashed
from controller.people.staff import ADDRESS_TRIES, Bucket
from tests.web.hall import Hall

KEPT = hashed("471142")


@pytest.fixture
def hall(fresh_hall: Hall) -> Hall:
    for name in ("Ann", "Bob"):
        fresh_hall.cookie("floor", name, KEPT)
    fresh_hall.door._noted = Bucket(1_000, 1_000)
    return fresh_hall


def said(client: httpx.Client, name: str, pin: str, **headers: str) -> tuple[int, str, int]:
    answer = client.post("login", json={"name": name, "pin": pin}, headers=headers)
    told = answer.json()
    return answer.status_code, told.get("why", ""), told.get("wait_s", 0)


def test_the_right_pin_lets_in_and_a_wrong_one_says_nothing_more(hall: Hall) -> None:
    with hall.client() as client:
        assert said(client, "Ann", "471142")[0] == 200
        assert client.get("me.json").json()["name"] == "Ann"
    with hall.client() as client:
        wrong, unknown = (
            client.post("login", json={"name": name, "pin": "0000"}) for name in ("Ann", "Eve")
        )
        assert (wrong.status_code, wrong.content) == (unknown.status_code, unknown.content)


def test_who_guesses_one_persons_pin_waits(hall: Hall) -> None:
    with hall.client() as client:
        waits = [said(client, "Ann", "0000")[2] for _ in range(3)]
        assert waits[:2] == [0, 0]
        assert waits[2] == FIRST_WAIT_S
        assert said(client, "Ann", "471142")[:2] == (429, "wait")  # the right one too
        assert said(client, "Bob", "471142")[0] == 200
        lines = [(each.what, each.about, each.result) for each in hall.get(hall.door.store.audit)]
        assert lines.count(("login", "Ann", "wrong")) == 3
        assert ("login", "Ann", "wait") in lines
        assert "471142" not in repr(hall.get(hall.door.store.audit))


def test_a_name_that_is_unknown_is_made_to_wait_like_any(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = time.monotonic()
    monkeypatch.setattr(hall.door, "ticks", lambda: at)  # all in one moment
    with hall.client() as client:
        known = [said(client, "Ann", "0000") for _ in range(4)]
        unknown = [said(client, "Eve", "0000") for _ in range(4)]
        assert known == unknown


def test_one_address_that_tries_one_name_after_another_waits(hall: Hall) -> None:
    with hall.client() as client:
        for number in range(ADDRESS_TRIES):
            forwarded = {"X-Forwarded-For": f"10.9.8.{number}", "Forwarded": f"for=10.9.8.{number}"}
            assert said(client, f"name {number}", "0000", **forwarded)[1] == "wrong"
        assert said(client, "Ann", "471142", **{"X-Forwarded-For": "10.1.1.1"})[:2] == (429, "wait")
        addresses = {each.address for each in hall.get(hall.door.store.audit)}
        assert addresses == {"127.0.0.1"}


def test_many_at_once_are_no_more_than_one_after_another(hall: Hall) -> None:
    answers: list[tuple[int, str, int]] = []

    def guess(number: int) -> None:
        with hall.client() as client:
            answers.append(said(client, "Ann", f"{number:04}"))

    threads = [threading.Thread(target=partial(guess, number)) for number in range(12)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert [why for _, why, _ in answers].count("wrong") == 3
    assert len(answers) == 12


def test_an_unknown_name_takes_as_long_as_a_known_one(hall: Hall) -> None:
    times: dict[str, list[float]] = {"Ann": [], "Eve": []}

    async def one(name: str) -> None:
        hall.door._names.right(name)
        hall.door._addresses.right("10.0.0.1")
        began = time.process_time()
        await hall.door.sign_in(name, "0000", "10.0.0.1", None)
        times[name].append(time.process_time() - began)

    for _ in range(6):
        for name in times:
            hall.wait_for(partial(one, name))
    known, unknown = (min(times[name][1:]) for name in ("Ann", "Eve"))
    assert 0.5 < known / unknown < 2


def test_whoever_is_removed_while_their_pin_is_looked_at_stays_out(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    def slow(_kept: str, _pin: str) -> bool:
        hall.get(lambda: hall.door.store.set_pin("Ann", "$argon2-other"))
        return True

    monkeypatch.setattr("controller.people.door._check", slow)
    with hall.client() as client:
        assert said(client, "Ann", "471142")[:2] == (403, "wrong")


def test_a_person_without_a_pin_is_not_let_in_by_any(hall: Hall) -> None:
    hall.cookie("admin", "Demo", "")
    with hall.client() as client:
        for pin in ("", "no such person"):
            assert said(client, "Demo", pin)[1] == "wrong"


def test_codes_are_guessed_as_slowly_and_count_once(hall: Hall) -> None:
    code = hall.get(lambda: hall.door.invite("Ann"))
    with hall.client() as client:
        assert client.post("join", json={"code": code}).status_code == 200
    with hall.client() as client:
        assert client.post("join", json={"code": code}).json()["why"] == "code"
        for _ in range(ADDRESS_TRIES - 1):
            client.post("join", json={"code": "x"})
        fresh = hall.get(lambda: hall.door.invite("Ann"))
        assert client.post("join", json={"code": fresh}).json()["why"] == "wait"


def test_a_code_is_too_old_after_ten_minutes(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    code = hall.get(lambda: hall.door.invite("Ann"))
    monkeypatch.setattr(hall.door, "ticks", lambda: time.monotonic() + 601)
    with hall.client() as client:
        assert client.post("join", json={"code": code}).json()["why"] == "code"


def test_the_first_admin_is_made_once_with_the_right_code(hall: Hall) -> None:
    code = hall.setup.partition("code=")[2]
    assert len(code) > 20
    asked = {"code": code, "name": "Ada", "pin": "4711"}
    with hall.client() as client:
        assert client.post("setup", json={**asked, "code": "x"}).json()["why"] == "code"
        assert client.post("setup", json={**asked, "pin": "12"}).json()["why"] == "pin"
        assert client.post("setup", json={**asked, "name": 'A"'}).json()["why"] == "name"
        assert client.post("setup", json=asked).json()["name"] == "Ada"
        assert client.get("people.json").status_code == 200
    with hall.client() as client:
        assert client.post("setup", json={**asked, "name": "Eve"}).json()["why"] == "taken"


def test_too_many_that_sign_in_at_once_are_asked_to_come_again(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("controller.people.door.WAITING", 0)
    with hall.client() as client:
        assert said(client, "Ann", "471142")[:2] == (503, "busy")
