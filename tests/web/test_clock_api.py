"""What the clock's desk asks over HTTP, at a real room without a broker."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from display.web.serving.body import MAX_ACT
from tests.waiting import PATIENCE_S
from tests.web.hall import JOIN, joined


class Room:
    """A running `cutcard room`."""

    def __init__(self, url: str, ready: dict[str, Any]) -> None:
        self.url, self.ready = url, ready
        self.headers = joined(url)

    def asks(self, path: str) -> urllib.request.Request:
        return urllib.request.Request(self.url + path, headers=self.headers)  # noqa: S310

    def get(self, path: str) -> tuple[int, Any]:
        try:
            with urllib.request.urlopen(self.asks(path), timeout=PATIENCE_S) as answer:  # noqa: S310
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as error:
            with error:
                return error.code, json.load(error)

    def post(self, name: str, body: object, **headers: str) -> tuple[int, Any]:
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        sent = self.headers | headers
        request = urllib.request.Request(f"{self.url}clock/{name}", data, sent)  # noqa: S310
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:  # noqa: S310
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as error:
            with error:
                if error.code != 429:
                    return error.code, json.load(error)
        time.sleep(0.1)  # so often may somebody ask
        return self.post(name, body, **headers)


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Room]:
    state = tmp_path_factory.mktemp("state")
    with subprocess.Popen(
        f"{sys.executable} -m display.web.command --json --web-port 0 --broker 127.0.0.1:1".split(),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env=os.environ | JOIN | {"XDG_STATE_HOME": str(state)},
    ) as process:
        try:
            assert process.stdout is not None
            ready = json.loads(process.stdout.readline())
            yield Room(ready["url"], ready)
        finally:
            process.kill()
    assert (Path(state) / "cutcard" / "room.sqlite").exists()


def test_the_ready_line_says_where_everything_is(room: Room) -> None:
    assert room.ready["ready"] is True
    assert room.ready["mqtt"] == "127.0.0.1:1"
    assert room.ready["pages"]["blinds"] == f"{room.url}blinds"
    for page in room.ready["pages"].values():
        asked = urllib.request.Request(page, headers=room.headers)  # noqa: S310
        with urllib.request.urlopen(asked, timeout=PATIENCE_S) as answer:  # noqa: S310
            assert answer.status == 200


def test_a_clock_is_asked_and_answers(room: Room) -> None:
    assert room.get("clock.json")[1]["state"] == "ready"
    assert room.post("start", {"actor": "Ann"}) == (
        200,
        {"accepted": True, "state": "running", "revision": 1},
    )
    status, said = room.post("start", {"actor": "Ann"})
    assert (status, said) == (409, {"error": "the clock has already been started; resume it"})
    assert room.post("pause", {"actor": "Bob", "reason": "tea"})[1]["state"] == "paused"
    picture = room.get("clock.json")[1]
    assert (picture["state"], picture["clock"]["why"]) == ("paused", "tea")
    assert picture["entries"][0]["blinds"] == {"small": 25, "big": 50}
    assert [each["level"] for each in picture["entries"][:6]] == [1, 2, 3, 4, None, 5]
    lines = [(each["text"], each["refused"]) for each in picture["history"]]
    assert lines[:2] == [
        ("Demo started the clock", ""),
        ("Demo tried to start the clock", "the clock has already been started; resume it"),
    ]
    assert re.fullmatch(r"Demo paused the clock with [:\d]+ left in level 1: tea", lines[2][0])
    german = room.get("clock.json?lang=de")[1]["history"]
    assert german[0]["text"] == "Demo hat die Uhr gestartet"


def test_the_whole_picture_comes_as_a_stream_of_events(room: Room) -> None:
    with urllib.request.urlopen(room.asks("clock/events"), timeout=PATIENCE_S) as stream:  # noqa: S310
        assert stream.readline() == b"retry: 1000\n"
        stream.readline()
        assert json.loads(stream.readline().removeprefix(b"data: "))["site"] == "main"
        room.post("notice", {"actor": "Ann", "text": "Tea", "minutes": 5})
        notices: list[dict[str, Any]] = []
        while not notices:  # a picture comes each second too
            stream.readline()
            told = json.loads(stream.readline().removeprefix(b"data: "))
            notices = told["tournament"]["notices"]
    assert notices[-1]["text"] == "Tea"


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": ""},
        {"X-Requested-With": "else"},
    ],
)
def test_only_our_own_pages_may_ask(room: Room, headers: dict[str, str]) -> None:
    before = room.get("clock.json")[1]["clock"]["revision"]
    assert room.post("next", {"actor": "Ann"}, **headers)[0] == 403
    assert room.get("clock.json")[1]["clock"]["revision"] == before


@pytest.mark.parametrize(
    ("name", "body", "status", "said"),
    [
        ("pawse", {"actor": "Ann"}, 409, "did you mean 'pause'"),
        ("go", {"actor": "Ann", "index": -1}, 409, "index"),
        ("time", {"actor": "Ann", "by_ms": 1e30}, 409, "by_ms"),
        ("next", b"[]", 400, "not a JSON object"),
        ("next", b"\xff", 400, "not a JSON object"),
        ("next", b"[" * 5000, 400, "not a JSON object"),
        ("next", b"x" * (MAX_ACT + 1), 413, "more than"),
    ],
)
def test_what_is_no_request_is_refused_with_its_reason(
    room: Room, name: str, body: object, status: int, said: str
) -> None:
    given, answer = room.post(name, body)
    assert given == status
    assert said in answer["error"]


def anew(room: Room) -> None:
    """Nothing has begun, whatever other tests have done."""
    for name in ("start", "pause", "end"):
        room.post(name, {"actor": "Ann"})
    assert room.post("reset", {"actor": "Ann"})[0] == 200


def test_a_structure_that_comes_along_can_be_had_and_taken_before_the_start(room: Room) -> None:
    turbo = room.get("structures.json")[1]["structures"]["turbo"]
    anew(room)
    assert room.post("start", {"actor": "Ann"})[0] == 200
    assert room.post("structure", {"actor": "Ann", "structure": turbo})[0] == 409
    anew(room)
    assert room.post("structure", {"actor": "Ann", "structure": turbo})[0] == 200
    picture = room.get("clock.json")[1]
    assert (picture["structure"], picture["left_ms"]) == ("Turbo", 360_000)


def test_health(room: Room) -> None:
    status, health = room.get("healthz")
    assert (status, health["ok"], health["broker"], health["store"]) == (200, True, "away", "ok")
    assert health["tables"] == {}
    assert health["heard"] == {"events": 0, "gaps": 0, "doubles": 0}
    assert health["ignored"]["malformed"] == 0


def test_there_is_no_logo_unless_one_is_set(room: Room) -> None:
    assert room.get("logo")[0] == 404
    assert room.get("clock.json")[1]["screen"] == {
        "name": "",
        "logo": "",
        "diagonal_inches": 55.0,
    }


def test_what_is_new_in_the_room_is_in_the_picture(room: Room) -> None:
    anew(room)
    turbo = room.get("structures.json")[1]["structures"]["turbo"]
    assert room.post("structure", {"actor": "Ann", "structure": turbo})[0] == 200
    anna = {"player": "Anna", "from": {"table": "T3", "seat": 2}, "to": {"table": "T1"}}
    assert room.post("move", {"actor": "Ann", **anna})[0] == 200
    assert room.post("tournament", {"actor": "Ann", "players_left": 40})[0] == 200
    for _ in range(31):
        assert room.post("bust", {"actor": "Ann"})[0] == 200
    picture = room.get("clock.json")[1]
    (move,) = picture["moves"]
    assert (move["player"], move["from"], move["to"]["table"]) == ("Anna", anna["from"], "T1")
    assert [each["place"] for each in picture["finishes"]] == list(range(10, 40))
    assert [each["place"] for each in room.get("finishes.json")[1]["finishes"]] == list(
        range(10, 41)
    )
    assert (picture["calls"], picture["dead_buttons"]) == ([], [])
    first = next(each["race_off"] for each in picture["entries"] if each["race_off"])
    assert picture["race_off"] == first == [50]
