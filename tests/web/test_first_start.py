"""How a room begins that knows nobody, or can't know anybody."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from controller.people.pins import hashed
from controller.people.staff import Person
from controller.people.staff_store import StaffStore
from display.web import command as web_command
from display.web.words import page_words
from tests.waiting import PATIENCE_S
from tests.web.clockroom import clock_room
from tests.web.hall import CODE, JOIN, ours


@contextmanager
def room(folder: Path, *more: str, **environment: str) -> Iterator[tuple[dict[str, Any], Path]]:
    words = ["--json", "--web-port", "0", "--broker", "127.0.0.1:1", *more]
    words += ["--store", str(folder / "room.sqlite")]
    said = folder / "said"
    with (
        said.open("w") as err,
        subprocess.Popen(
            [sys.executable, "-m", "display.web.command", *words],
            stdout=subprocess.PIPE,
            stderr=err,
            text=True,
            env=os.environ | environment,
        ) as process,
    ):
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            yield (json.loads(line) if line else {}), said
        finally:
            process.kill()


def post(base: str, path: str, body: object) -> httpx.Response:
    return httpx.post(f"{base}{path}", json=body, headers=ours(base), timeout=PATIENCE_S)


def test_a_room_without_an_admin_says_where_the_first_is_made(tmp_path: Path) -> None:
    with room(tmp_path) as (ready, said):
        setup = ready["setup"]
        assert f"create the first admin at {setup}" in said.read_text()
        asked = {"code": setup.partition("code=")[2], "name": "Ada", "pin": "4711"}
        assert post(ready["url"], "setup", asked).is_success
    with room(tmp_path) as (ready, said):
        assert "setup" not in ready
        assert "first admin" not in said.read_text()


def test_the_sign_in_page_of_a_room_without_people_says_how_the_first_admin_is_made(
    tmp_path: Path,
) -> None:
    with room(tmp_path) as (ready, _):
        url, setup = ready["url"], ready["setup"]
        for language in ("en", "de", "es", "fr"):
            page = httpx.get(f"{url}login?lang={language}", timeout=PATIENCE_S).text
            assert page_words("login", language)["nobody"] in page
            assert "/setup?code=" in page
            assert "cutcard staff add" in page
            assert 'id="form" autocomplete="off" hidden' in page
            assert setup.partition("code=")[2] not in page
        asked = {"code": setup.partition("code=")[2], "name": "Ada", "pin": "4711"}
        assert post(url, "setup", asked).is_success
        page = httpx.get(f"{url}login", timeout=PATIENCE_S).text
        assert "cutcard staff add" not in page
        assert 'id="form" autocomplete="off">' in page


def test_the_sign_in_page_of_a_demo_says_that_its_addresses_sign_in(tmp_path: Path) -> None:
    control = "http://127.0.0.1:9/"
    with room(tmp_path, "--control", control, **JOIN) as (ready, _):
        page = httpx.get(f"{ready['url']}login", timeout=PATIENCE_S).text
        assert page_words("login", "en")["demo"] in page
        assert f'<a href="{control}">Control</a>' in page
        assert "cutcard staff add" not in page


def test_a_sign_in_outlives_the_room(tmp_path: Path) -> None:
    with room(tmp_path, **JOIN) as (ready, _):
        given = post(ready["url"], "join", {"code": CODE})
        cookie = given.headers["Set-Cookie"].partition(";")[0]
    with room(tmp_path) as (ready, _):
        me = httpx.get(f"{ready['url']}me.json", headers={"Cookie": cookie}, timeout=PATIENCE_S)
        assert me.json()["name"] == "Demo"


def unwritable(file: Path) -> str:
    file.mkdir()
    return "Is a directory"


def newer(file: Path) -> str:
    StaffStore.open(file).close()
    with closing(sqlite3.connect(file)) as db:
        db.execute("PRAGMA user_version=99")
    return "written by a newer version of cutcard"


@pytest.mark.parametrize("spoil", [unwritable, newer])
def test_where_people_cannot_be_kept_nobody_comes_in_and_the_screens_go_on(
    tmp_path: Path, spoil: Callable[[Path], str]
) -> None:
    why = spoil(tmp_path / "people.sqlite")
    with room(tmp_path, **JOIN) as (ready, _):
        url = ready["url"]
        assert "setup" not in ready
        with urllib.request.urlopen(f"{url}blinds", timeout=PATIENCE_S) as answer:  # noqa: S310
            assert answer.status == 200
        answer = httpx.get(f"{url}healthz", timeout=PATIENCE_S)
        health = answer.json()
        assert (answer.status_code, health["ok"]) == (503, False)
        assert any("nobody can sign in" in fault for fault in health["faults"])
        page = httpx.get(f"{url}login", timeout=PATIENCE_S).text
        assert page_words("login", "en")["barred"] in page
        assert why in page
        for path, body in (
            ("setup", {"code": "", "name": "Eve", "pin": "4711"}),
            ("join", {"code": CODE}),
        ):
            assert post(url, path, body).status_code == 403
        assert httpx.get(f"{url}clock.json", timeout=PATIENCE_S).status_code == 401


@pytest.mark.parametrize("code", [CODE, "short"])
def test_a_demos_code_opens_no_room_of_others(tmp_path: Path, code: str) -> None:
    if code == CODE:
        store = StaffStore.open(tmp_path / "people.sqlite")
        store.add(Person("Ada", "admin", hashed("4711")))
        store.close()
    with room(tmp_path, **{next(iter(JOIN)): code}) as (ready, said):
        assert ready == {}
        assert ("people of its own" if code == CODE else "20 letters") in said.read_text()


@pytest.mark.parametrize(
    ("folder", "command"),
    [("of-systemd", "sudo cutcard staff add"), ("own", "<code>cutcard staff add")],
)
def test_the_command_for_the_first_admin_reaches_this_rooms_people(
    folder: str, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without root, one of systemd's room would make an admin of the user's own."""
    monkeypatch.setattr(web_command, "SERVICE_STATE", tmp_path / "of-systemd")
    with clock_room(store=tmp_path / folder / "room.sqlite") as room:
        page = httpx.get(f"{room.url}login", timeout=PATIENCE_S).text
        assert command in page
