"""Several events of a room as a program meets them: their pages, files, and who may do what."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from controller.people.rights import IN_THE_CLEAR, in_event, matches, needed
from controller.people.staff import Role
from tests.web.clockroom import MINUTE, ClockRoom, clock_room


@pytest.fixture
def room(tmp_path: Path) -> Iterator[ClockRoom]:
    """The first event's clock runs; beside it there is the event turbo."""
    with clock_room(store=tmp_path / "room.sqlite") as room:
        with room.client("director") as client:
            made = client.post("/events", json={"id": "turbo", "name": "Turbo"})
            assert (made.status_code, made.json()) == (200, {"accepted": True, "left_out": []})
        yield room


@pytest.fixture
def director(room: ClockRoom) -> Iterator[httpx.Client]:
    with room.client("director") as client:
        yield client


def test_the_same_pages_are_below_the_address_of_an_event(director: httpx.Client) -> None:
    for path in ("/clock", "/players", "/race", "/money", "/screen", "/pocket", "/players/cards"):
        page = director.get(f"/event/turbo{path}")
        assert page.status_code == 200, path
        assert 'data-base="/event/turbo"' in page.text
        assert "data-base" not in director.get(path).text
    for path in (
        "/clock.json",
        "/players.json",
        "/money.json",
        "/structure.toml",
        "/finishes.json",
    ):
        assert director.get(f"/event/turbo{path}").status_code == 200, path


def test_what_is_asked_of_an_event_is_done_there_alone(director: httpx.Client) -> None:
    def states() -> tuple[str, str]:
        first, turbo = (director.get(f"{at}/clock.json").json() for at in ("", "/event/turbo"))
        return first["state"], turbo["state"]

    assert states() == ("running", "ready")
    assert director.post("/event/turbo/clock/start", json={}).json()["state"] == "running"
    assert director.post("/clock/pause", json={}).json()["state"] == "paused"
    assert states() == ("paused", "running")
    director.post("/event/turbo/players/enter", json={"name": "Cleo"})
    told = director.get("/event/turbo/players.json").json(), director.get("/players.json").json()
    assert [[each["name"] for each in one["players"]] for one in told] == [["Cleo"], []]


def test_links_of_a_page_stay_in_its_event(director: httpx.Client) -> None:
    page = director.get("/event/turbo/players?lang=de").text
    for link in ("/clock?lang=de", "/money?lang=de", "/players.csv", "/conduct.csv"):
        assert f'href="/event/turbo{link}"' in page
    for link in ("/floor?lang=de", "/history?lang=de", "/?lang=de"):
        assert f'href="{link}"' in page
    assert 'href="/event/turbo/structure.toml"' in director.get("/event/turbo/clock").text


def test_the_header_tells_the_event_and_leads_to_the_others(director: httpx.Client) -> None:
    page = director.get("/event/turbo/money").text
    assert '<a href="/event/turbo/money" aria-current="true">Turbo</a>' in page
    assert '<a href="/money">First event</a>' in page
    assert 'id="events"' not in director.get("/floor").text
    director.post("/events/close", json={"id": "turbo"})
    assert 'id="events"' not in director.get("/money").text


def test_what_a_wall_was_called_is_found_in_an_event_too(director: httpx.Client) -> None:
    for base in ("", "/event/turbo"):
        moved = director.get(f"{base}/blinds?lang=de")
        assert (moved.status_code, moved.headers["location"]) == (307, f"{base}/screen?lang=de")


def test_there_are_no_pages_of_what_there_is_not(director: httpx.Client) -> None:
    for path in ("/event/late/clock", "/event/turbo/floor", "/event/turbo/people", "/event//clock"):
        assert director.get(path).status_code in (400, 403, 404), path
    assert director.post("/event/late/clock/start", json={}).status_code == 404
    assert director.get("/event/late/clock").json() == {"error": "there is no such event"}
    director.post("/events/close", json={"id": "turbo"})
    assert director.get("/event/turbo/clock").status_code == 404


@pytest.mark.parametrize(
    ("method", "path", "role"),
    [
        ("GET", "/event/turbo/screen", None),
        ("GET", "/event/turbo/screen/events", None),
        ("GET", "/event/turbo/pocket.svg", None),
        ("GET", "/event/turbo/clock", "viewer"),
        ("POST", "/event/turbo/clock/start", "director"),
        ("POST", "/event/turbo/players/warn", "floor"),
        ("POST", "/event/turbo/players/enter", "director"),
        ("GET", "/event/turbo/money.json", "director"),
        ("GET", "/event/turbo/event.json", "director"),
        ("GET", "/event.json", "director"),
        ("GET", "/events", "director"),
        ("POST", "/events", "director"),
        ("POST", "/events/close", "director"),
        ("POST", "/events/other", "admin"),
        ("GET", "/event/turbo", "admin"),
        ("GET", "/event/turbo/nowhere", "admin"),
        ("GET", "/event/turbo/event/turbo/screen", "admin"),
        ("GET", "/event/TURBO/screen", "admin"),
        ("GET", "/event/../screen", "admin"),
        ("GET", "/events/turbo/screen", "admin"),
    ],
)
def test_an_events_pages_need_what_the_first_ones_need(
    method: str, path: str, role: Role | None
) -> None:
    assert needed(method, path) == role


def test_over_plain_http_an_events_walls_are_to_be_had_and_no_more() -> None:
    def is_clear(path: str) -> bool:
        return matches(in_event(path), IN_THE_CLEAR)

    assert is_clear("/event/turbo/screen/events")
    assert is_clear("/event/turbo/pocket")
    assert not is_clear("/event/turbo/clock")


def test_a_stranger_sees_walls_and_is_led_to_sign_in_elsewhere(room: ClockRoom) -> None:
    with room.client() as stranger:
        assert stranger.get("/event/turbo/screen").status_code == 200
        assert stranger.get("/event/turbo/clock.json").status_code == 401
        assert stranger.post("/event/turbo/clock/start", json={}).status_code == 401
        asked = stranger.get("/event/turbo/clock", headers={"accept": "text/html"})
        assert asked.headers["location"] == "/login?to=/event/turbo/clock&needs=viewer"
    with room.client("floor", "Fay") as floor:
        assert floor.post("/event/turbo/clock/start", json={}).status_code == 403
        assert floor.get("/events").status_code == 403
        assert floor.post("/events", json={"id": "late"}).status_code == 403


def test_the_room_lists_its_events(director: httpx.Client) -> None:
    page = director.get("/").text
    assert '<tr data-event=""><td><a href="/clock">First event</a></td><td>running' in page
    assert '<tr data-event="turbo"><td><a href="/event/turbo/clock">Turbo</a></td>' in page
    assert 'href="/events"' in page
    director.post("/event/turbo/clock/tournament", json={"name": "<b>Turbo</b>"})
    assert "&lt;b&gt;Turbo&lt;/b&gt;" in director.get("/").text


def test_an_event_goes_out_as_a_file_and_comes_back(director: httpx.Client) -> None:
    director.post("/event/turbo/players/enter", json={"name": "Cleo"})
    answer = director.get("/event/turbo/event.json")
    assert answer.headers["content-disposition"] == 'attachment; filename="turbo.json"'
    file = answer.json()
    made = director.post("/events", json={"id": "again", "name": "Again", "file": file})
    assert made.status_code == 200
    told = director.get("/event/again/players.json").json()
    assert [each["name"] for each in told["players"]] == ["Cleo"]
    made = director.post(
        "/events", json={"id": "next", "name": "Next", "file": file, "template": True}
    )
    assert made.status_code == 200
    assert director.get("/event/next/players.json").json()["players"] == []
    assert director.get("/event.json").json()["record"]["clock"]["begun"] is True


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"id": "turbo"}, "there is an event turbo already"),
        ({"id": "No Good"}, "small letters, digits and '-'"),
        ({"id": "late", "file": {"v": 1}}, "this is no file of an event"),
        ({"id": "late", "file": {"kind": "cutcard event", "v": 99}}, "a newer version of cutcard"),
        ({"id": "late", "file": {"kind": "cutcard event", "v": 1}}, "the file can't be used"),
        ({"id": "late", "what": 1}, "new event"),
        ({}, "new event"),
    ],
)
def test_what_can_t_be_is_refused_in_words_and_not_made(
    director: httpx.Client, body: dict[str, object], words: str
) -> None:
    refused = director.post("/events", json=body)
    assert refused.status_code == 409
    assert words in refused.json()["error"]
    assert len(director.get("/").text.split("<tr data-event")) == 3


def test_an_event_whose_clock_runs_is_not_closed(director: httpx.Client, tmp_path: Path) -> None:
    director.post("/event/turbo/clock/start", json={})
    refused = director.post("/events/close", json={"id": "turbo"})
    assert (refused.status_code, refused.json()["error"]) == (
        409,
        "the clock of Turbo runs: stop it first",
    )
    director.post("/event/turbo/clock/pause", json={})
    closed = director.post("/events/close", json={"id": "turbo"}).json()
    assert closed == {
        "accepted": True,
        "file": str(tmp_path / "room.sqlite.events" / "turbo.sqlite.closed-1"),
    }
    assert Path(closed["file"]).exists()


def test_who_did_what_names_the_event(room: ClockRoom, director: httpx.Client) -> None:
    director.post("/event/turbo/clock/start", json={})
    with room.client("admin", "Ada") as admin:
        audit = json.dumps(admin.get("/people.json").json())
    assert "Ann started the clock (event turbo)" in audit
    assert "Ann created an event" in audit


def test_a_room_that_was_killed_comes_back_with_all_its_events(tmp_path: Path) -> None:
    with clock_room(store=tmp_path / "room.sqlite") as room, room.client("director") as client:
        client.post("/events", json={"id": "turbo", "name": "Turbo"})
        client.post("/event/turbo/clock/start", json={})
    with clock_room(store=tmp_path / "room.sqlite") as room, room.client("director") as client:
        told = client.get("/event/turbo/clock.json").json()
        assert told["state"] in ("running", "question")
        assert told["clock"]["duration_ms"] == 20 * MINUTE


def test_phones_are_led_to_their_event() -> None:
    with clock_room(address="http://club.lan:8080") as room, room.client("director") as client:
        client.post("/events", json={"id": "turbo"})
        assert client.get("/pocket.json").json() == {"address": "http://club.lan:8080/pocket"}
        told = client.get("/event/turbo/pocket.json").json()
        assert told == {"address": "http://club.lan:8080/event/turbo/pocket"}
