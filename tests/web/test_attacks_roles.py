"""Somebody does more than their role may, or in another one's name."""

from __future__ import annotations

import time

import pytest

from controller.people.staff import ROLES, Role
from tests.waiting import PATIENCE_S
from tests.web.hall import Hall

ASKED: list[tuple[str, str, Role]] = [
    ("GET", "floor", "viewer"),
    ("GET", "clock.json", "viewer"),
    ("GET", "structures.json", "viewer"),
    ("GET", "history", "floor"),
    ("GET", "history.csv", "floor"),
    ("GET", "history/T1/1.json", "floor"),
    ("GET", "statistics", "floor"),
    ("GET", "players.json", "floor"),
    ("POST", "players/enter", "director"),
    ("POST", "floor/T1/coming", "floor"),
    ("POST", "clock/notice", "director"),
    ("POST", "clock/pause", "director"),
    ("GET", "people", "admin"),
    ("GET", "people.json", "admin"),
    ("POST", "people/add", "admin"),
    ("POST", "people/role", "admin"),
    ("POST", "people/pin", "admin"),
    ("POST", "people/tables", "admin"),
    ("POST", "people/remove", "admin"),
    ("POST", "people/sign-out", "admin"),
    ("POST", "people/code", "admin"),
    ("GET", "tables", "admin"),
    ("GET", "tables.json", "admin"),
    ("POST", "tables/add", "admin"),
    ("POST", "tables/withdraw", "admin"),
    ("POST", "tables/remove", "admin"),
    ("GET", "nowhere", "admin"),
]


@pytest.mark.parametrize(("method", "path", "needs"), ASKED)
@pytest.mark.parametrize("role", [None, *ROLES])
def test_who_may_what(
    one_hall: Hall, method: str, path: str, needs: Role, role: Role | None
) -> None:
    with one_hall.client(role, f"a {role}") as client:
        answer = client.request(method, path, content=b"x" if method == "POST" else b"")
        if role is None:
            assert answer.status_code == 401
        elif ROLES.index(role) < ROLES.index(needs):
            assert (answer.status_code, f"needs {needs}" in answer.text) == (403, True)
        else:
            assert answer.status_code in (200, 400, 404)


def test_nobody_makes_themselves_more_than_they_are(one_hall: Hall) -> None:
    with one_hall.client("director", "Dora") as client:
        assert client.post("people/role", json={"name": "Dora", "role": "admin"}).status_code == 403
        assert client.get("me.json").json()["role"] == "director"
        lines = one_hall.get(one_hall.door.store.audit)
        assert ("Dora", "people role", "needs admin") in [
            (each.person, each.what, each.result) for each in lines
        ]


def test_what_is_done_is_done_in_ones_own_name(one_hall: Hall) -> None:
    with one_hall.client("director", "Dora") as client:
        forged = {"actor": "Ada", "text": "Tea", "minutes": 5}
        assert client.post("clock/notice", json=forged).status_code == 200
        assert client.post("clock/nonsense", json={"actor": "Ada"}).status_code == 409
    done = [(each.actor, each.name) for each in one_hall.get(one_hall.room.view).history]
    assert ("Dora", "notice") in done
    lines = [
        (each.person, each.role, each.what, each.about, each.result)
        for each in one_hall.get(one_hall.door.store.audit)
    ]
    assert ("Dora", "director", "clock notice", '{"text":"Tea","minutes":5}', "ok") in lines
    (refused,) = [each for each in lines if each[2] == "clock nonsense"]
    assert "nonsense" in refused[4]
    assert not any(each[0] == "Ada" and each[2].startswith("clock") for each in lines)


def test_tables_hear_the_name_and_the_role_of_who_decides(fresh_hall: Hall) -> None:
    table, told = fresh_hall.tables["T1"], {"session": "s-T1", "hand": 12}
    for role in ("floor", "director", "admin"):
        with fresh_hall.client(role, f"a {role}") as client:
            asked = {"actor": "Eve", "role": "director", **told}
            assert client.post("floor/T1/coming", json=asked).status_code == 409  # no such field
            assert client.post("floor/T1/coming", json={"actor": "Eve", **told}).status_code == 202
    fresh_hall.until(lambda: len(table.taken) == 3)
    assert [getattr(each, "by", "") for each in table.taken] == ["a floor", "a director", "a admin"]


def test_a_stream_ends_with_its_session(one_hall: Hall) -> None:
    with one_hall.client("floor", "Carl") as client:
        with client.stream("GET", "floor/events") as stream:
            lines = stream.iter_lines()
            assert next(lines) == "retry: 1000"
            one_hall.get(lambda: one_hall.door.store.set_role("Carl", "viewer"))
            began = time.monotonic()
            for _ in lines:
                assert time.monotonic() - began < PATIENCE_S
        assert client.get("floor/events").status_code == 401


def test_an_admin_sees_no_secret(one_hall: Hall) -> None:
    with one_hall.client("admin", "Ada") as client:
        added = {"name": "Neu", "role": "floor", "pin": "825673"}
        assert client.post("people/add", json=added).status_code == 200
        assert client.post("people/pin", json={"name": "Neu", "pin": "914728"}).status_code == 200
        invited = client.post("people/code", json={"name": "Neu"}).json()
        shown = client.get("people.json").text
    code = invited["url"].partition("code=")[2]
    for secret in ("825673", "914728", "argon2", code):
        assert secret not in shown
    assert "Ada gave Neu a new PIN" in shown
