"""The links of the header: those that somebody may open, and no others."""

from __future__ import annotations

import pytest

from controller.people.rights import needed
from controller.people.staff import ROLES, Person, Role
from controller.room.pages import FOR_PLAYERS, PAGES
from display.web.ways import Extra, way_in, ways

ALL = (
    "room",
    "screen",
    "clock",
    "players",
    "race",
    "money",
    "floor",
    "rules",
    "history",
    "statistics",
    "people",
    "pocket",
)
LOOKS = ("room", "screen", "clock", "floor", "rules", "pocket")
READS = (
    "room",
    "screen",
    "clock",
    "players",
    "race",
    "floor",
    "rules",
    "history",
    "statistics",
    "pocket",
)


def person(role: Role | None) -> Person | None:
    return None if role is None else Person("Ann", role, "")


NOTHING = Extra()


def names(role: Role | None, here: str, extra: Extra = NOTHING) -> tuple[str, ...]:
    return tuple(way.page for way in ways(person(role), here, extra, {}))


@pytest.mark.parametrize(
    ("role", "found"),
    [
        (None, ("screen", "pocket")),
        ("viewer", LOOKS),
        ("floor", READS),
        ("director", (*READS[:5], "money", *READS[5:])),
        ("admin", ALL),
    ],
)
def test_each_role_has_its_links_the_same_ones_on_every_page(
    role: Role | None, found: tuple[str, ...]
) -> None:
    assert {names(role, here) for here in (*PAGES, "login", "trust")} == {found}


@pytest.mark.parametrize("role", [None, *ROLES])
def test_no_link_leads_to_what_its_reader_may_not_open(role: Role | None) -> None:
    asks = person(role)
    for way in ways(asks, "login", Extra(certificate=True), {"lang": "de"}):
        needs = needed("GET", way.href.partition("?")[0])
        assert needs is None or (asks is not None and asks.may(needs))


def test_what_not_every_room_has_is_for_all_but_players() -> None:
    extra = Extra(certificate=True, control="http://127.0.0.1:9/")
    assert names("viewer", "floor", extra) == (*LOOKS, "trust", "control")
    assert names("viewer", "pocket", extra) == (*LOOKS, "trust", "control")
    assert names(None, "login", extra) == (*FOR_PLAYERS, "trust", "control")
    assert names(None, "pocket", extra) == FOR_PLAYERS
    assert ways(None, "login", extra, {})[-1].href == "http://127.0.0.1:9/"


def test_the_page_that_is_open_is_marked_and_the_language_goes_along() -> None:
    found = ways(person("floor"), "history", Extra(), {"lang": "de"})
    assert [way.page for way in found if way.is_here] == ["history"]
    assert {way.href.partition("?")[2] for way in found} == {"lang=de"}
    assert found[0].href == "/?lang=de"


def test_players_and_whoever_signs_in_just_now_are_offered_no_sign_in() -> None:
    assert way_in(None, "pocket", "/pocket", {}) == ""
    assert way_in(person("admin"), "pocket", "/pocket", {}) == "/login?to=%2Fpocket"
    assert way_in(None, "trust", "/trust", {"lang": "fr"}) == "/login?lang=fr&to=%2Ftrust"
    for here in ("login", "join", "setup"):
        assert way_in(None, here, f"/{here}?code=secret", {}) == ""


def test_nobody_signs_in_for_what_is_for_players() -> None:
    open_to_all = [page for page, path in PAGES.items() if needed("GET", path) is None]
    assert tuple(open_to_all) == FOR_PLAYERS
