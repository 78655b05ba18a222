"""What each address needs: walked over all routes that there are."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import cast

import pytest
from starlette.routing import Mount, Route

from controller.people.door import Door
from controller.people.rights import is_named, needed
from controller.people.staff import Holds, Role
from controller.people.staff_store import StaffStore
from display.web.room import Room
from display.web.serving.access.hosts import Hosts
from display.web.serving.access.paths import is_straight, local
from display.web.serving.app import create_app


def addresses() -> Iterator[tuple[str, str]]:
    store = StaffStore.open(None)
    app = create_app(cast(Room, None), Door(store, Holds()), Hosts(()))
    for route in app.routes:
        if isinstance(route, Mount):
            yield "GET", f"{route.path}/icon.svg"
            continue
        assert isinstance(route, Route)
        path = re.sub(r"\{[^}]*\}", "T1", route.path)
        for method in route.methods or ():
            yield method, path
    store.close()


def test_every_route_is_named_in_the_table() -> None:
    found = list(addresses())
    assert len(found) > 30
    assert [each for each in found if not is_named(*each)] == []


OPEN = {
    "/screen", "/blinds", "/pocket", "/pocket.json", "/pocket.svg", "/healthz", "/logo", "/static",
    "/login", "/logout", "/join", "/setup", "/trust", "/ca.crt", "/themes.css",
    "/updates",
}  # fmt: skip


def test_nothing_else_is_to_be_had_without_signing_in() -> None:
    free = {path for method, path in addresses() if needed(method, path) is None}
    assert {f"/{path.split('/')[1]}" for path in free} <= OPEN
    assert {"/screen/events", "/pocket/events"} <= free


@pytest.mark.parametrize(
    ("method", "path", "role"),
    [
        ("GET", "/screen", None),
        ("GET", "/screen/events", None),
        ("GET", "/pocket/events", None),
        ("GET", "/pocket.svg", None),
        ("GET", "/", "viewer"),
        ("HEAD", "/floor", "viewer"),
        ("GET", "/clock/events", "viewer"),
        ("POST", "/floor/T1/ruling", "floor"),
        ("GET", "/rules", "viewer"),
        ("GET", "/rules.json", "viewer"),
        ("GET", "/rules/bet.json", "viewer"),
        ("POST", "/rules", "admin"),
        ("GET", "/history", "floor"),
        ("GET", "/history.csv", "floor"),
        ("GET", "/history/T1/7.json", "floor"),
        ("GET", "/statistics", "floor"),
        ("GET", "/players", "floor"),
        ("GET", "/players.json", "floor"),
        ("GET", "/players.csv", "floor"),
        ("GET", "/players/events", "floor"),
        ("GET", "/players/draws.json", "floor"),
        ("GET", "/players/at/T1", "floor"),
        ("GET", "/money", "director"),
        ("GET", "/money/events", "director"),
        ("GET", "/money/sheet", "director"),
        ("GET", "/money.json", "director"),
        ("GET", "/payouts.csv", "director"),
        ("POST", "/players/pay-out", "director"),
        ("POST", "/players/enter", "director"),
        ("POST", "/players-file", "director"),
        ("POST", "/players", "admin"),
        ("GET", "/playerss", "admin"),
        ("GET", "/historys", "admin"),
        ("GET", "/history.sqlite", "admin"),
        ("POST", "/history", "admin"),
        ("POST", "/clock/pause", "director"),
        ("GET", "/people", "admin"),
        ("POST", "/people/add", "admin"),
        ("GET", "/tables", "admin"),
        ("GET", "/tables.json", "admin"),
        ("POST", "/tables/add", "admin"),
        ("GET", "/screens", "admin"),
        ("GET", "/blindsx", "admin"),
        ("GET", "/pockets", "admin"),
        ("GET", "/pocket.txt", "admin"),
        ("GET", "/clock/pause", "admin"),
        ("POST", "/screen", "admin"),
        ("POST", "/healthz", "admin"),
        ("PUT", "/login", "admin"),
        ("GET", "/nowhere", "admin"),
        ("GET", "", "admin"),
    ],
)
def test_what_an_address_needs(method: str, path: str, role: Role | None) -> None:
    assert needed(method, path) == role


@pytest.mark.parametrize(
    ("to", "leads"),
    [
        ("/floor", "/floor"),
        ("/clock?lang=de", "/clock?lang=de"),
        ("/floor#T1", "/floor#T1"),
        ("", "/"),
        (None, "/"),
        ("//evil.example", "/"),
        ("///evil.example", "/"),
        ("/\\evil.example", "/"),
        ("\\\\evil.example", "/"),
        ("https://evil.example/", "/"),
        ("https:evil.example", "/"),
        ("javascript:alert(1)", "/"),
        ("floor", "floor"),
        ("/../floor", "/"),
        ("/%2fevil.example", "/"),
        ("/%5cevil.example", "/"),
        ("/floor\r\nSet-Cookie: a=b", "/"),
        ("/\t/evil.example", "/"),
        ("/\u2025/evil", "/"),
        ("http://[", "/"),
        ("/login?to=/login", "/"),
        ("/logout", "/"),
        ("/" + "x" * 600, "/"),
    ],
)
def test_only_local_addresses_are_led_to(to: str | None, leads: str) -> None:
    assert local(to) == (leads if leads.startswith("/") else "/")


@pytest.mark.parametrize(
    ("path", "raw"),
    [
        ("//evil", "//evil"),
        ("/static/../people", "/static/../people"),
        ("/static/../people", "/static/%2e%2e/people"),
        ("/static//people", "/static/%2Fpeople"),
        ("/static\\..\\people", "/static%5C..%5Cpeople"),
        ("/people\x00", "/people%00"),
        ("/people\n", "/people%0a"),
        ("/.", "/."),
        ("*", "*"),
        ("/a" * 400, "/a" * 400),
    ],
)
def test_a_path_that_is_not_what_it_looks_like(path: str, raw: str) -> None:
    assert not is_straight(path, raw)
    assert is_straight("/static/fonts/a.woff2", "/static/fonts/a.woff2")
    assert is_straight("/floor/T1/ruling", "/floor/T1/ruling")
