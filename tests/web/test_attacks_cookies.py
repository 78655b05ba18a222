"""Somebody else's cookie: forged, expired, stolen, given, or thrown in beside ours."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from itsdangerous import Signer

from display.web.serving.access.who import COOKIE, SAFE_COOKIE
from tests.web.hall import Hall


def who(hall: Hall, cookie: str, *, name: str = COOKIE) -> int:
    """The status of what only who is signed in gets."""
    with hall.client() as client:
        return client.get("me.json", headers={"Cookie": f"{name}={cookie}"}).status_code


FORGED: list[Callable[[str], str]] = [
    lambda _good: "",
    lambda _good: "Ann",
    lambda good: good[:-2],
    lambda good: good.partition(".")[0],
    lambda good: "x" + good,
    lambda good: good + "x",
    lambda good: good.upper(),
    lambda good: Signer(b"guessed", salt="cutcard.session").sign(good.partition(".")[0]).decode(),
    lambda _good: "." * 5_000,
    lambda _good: "é",
]


@pytest.mark.parametrize("forge", FORGED)
def test_a_forged_cookie_is_nobodys(one_hall: Hall, forge: Callable[[str], str]) -> None:
    good = one_hall.cookie()
    assert who(one_hall, good) == 200
    with one_hall.client() as client:
        raw = f"{COOKIE}={forge(good)}".encode()
        assert client.get("me.json", headers={b"Cookie": raw}).status_code == 401


def test_an_expired_cookie_is_nobodys(one_hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    cookie = one_hall.cookie()
    monkeypatch.setattr(one_hall.door, "now", lambda: time.time() + 12 * 3600 - 60)
    assert who(one_hall, cookie) == 200  # it holds on
    monkeypatch.setattr(one_hall.door, "now", lambda: time.time() + 24 * 3600 + 60)
    assert who(one_hall, cookie) == 401


def test_a_cookie_that_was_stolen_ends_with_the_sign_out(one_hall: Hall) -> None:
    stolen = one_hall.cookie(name="Ann")
    with one_hall.client() as client:
        client.cookies.set(COOKIE, stolen)
        answer = client.post("logout", json={})
        assert answer.status_code == 200
        assert "Max-Age=0" in answer.headers["Set-Cookie"]
    assert who(one_hall, stolen) == 401


CHANGES: list[Callable[[Hall], object]] = [
    lambda hall: hall.door.store.set_role("Carl", "director"),
    lambda hall: hall.door.store.set_pin("Carl", "$argon2-other"),
    lambda hall: hall.door.store.remove("Carl"),
    lambda hall: hall.door.store.sign_out_all("Carl"),
]


@pytest.mark.parametrize("change", CHANGES)
def test_whoever_is_changed_or_removed_is_out_at_once(
    one_hall: Hall, change: Callable[[Hall], object]
) -> None:
    cookie = one_hall.cookie("floor", "Carl")
    assert who(one_hall, cookie) == 200
    one_hall.get(lambda: change(one_hall))
    assert who(one_hall, cookie) == 401


def test_signing_in_never_goes_on_with_a_cookie_that_was_there(one_hall: Hall) -> None:
    given = one_hall.cookie("viewer", "Mallory")
    with one_hall.client() as victim:
        victim.cookies.set(COOKIE, given)
        code = one_hall.get(lambda: one_hall.door.invite("Ann"))
        one_hall.cookie(name="Ann")
        answer = victim.post("join", json={"code": code, "sure": True})
        assert answer.status_code == 200
        fresh = answer.headers["Set-Cookie"].partition("=")[2].partition(";")[0]
    assert fresh != given
    assert who(one_hall, fresh) == 200
    assert who(one_hall, given) == 401  # and whoever was in on this browser is out


def test_a_cookie_thrown_in_beside_ours_signs_nobody_in(one_hall: Hall) -> None:
    ours, theirs = one_hall.cookie(name="Ann"), one_hall.cookie("viewer", "Mallory")
    with one_hall.client() as client:
        for order in ((ours, theirs), (theirs, ours)):
            both = "; ".join(f"{COOKIE}={each}" for each in order)
            assert client.get("me.json", headers={"Cookie": both}).status_code == 401


def test_over_plain_http_the_cookie_of_https_is_not_looked_at(one_hall: Hall) -> None:
    assert who(one_hall, one_hall.cookie(), name=SAFE_COOKIE) == 401


def test_the_cookie_is_not_for_scripts_nor_for_other_sites(one_hall: Hall) -> None:
    one_hall.cookie()
    code = one_hall.get(lambda: one_hall.door.invite("Ann"))
    with one_hall.client() as client:
        given = client.post("join", json={"code": code}).headers["Set-Cookie"]
    words = {part.strip().lower() for part in given.split(";")[1:]}
    assert {"httponly", "samesite=strict", "path=/"} <= words
    assert not any(word.startswith("domain") for word in words)
