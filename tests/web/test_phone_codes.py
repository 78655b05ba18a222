"""Codes for phones lead where phones can go, or there is none and it is said what to set."""

from __future__ import annotations

import pytest

from controller.files.settings import config_dir
from controller.library.languages import languages, path_of, read
from tests.web.clockroom import clock_room

OUTSIDE = "http://clock.club.lan:8080/"


def pages_words(language: str) -> str:
    found: str = read(path_of(config_dir(), language), ("pages",))["pages"]["phones-host"]
    return found


def test_a_room_for_this_machine_only_draws_no_code_and_says_what_to_set() -> None:
    with clock_room() as room, room.client("admin") as admin:
        for language in languages(config_dir()):
            page = admin.get(f"/?lang={language}").text.replace("&#39;", "'")
            assert pages_words(language) in page
            assert "pocket.svg" not in page
            assert "host = '0.0.0.0'" in pages_words(language)
        made = admin.post("people/code", json={"name": "Ann"}).json()
        assert made["svg"] == ""
        assert made["url"].startswith(f"{room.url}join?code=")
        assert 'data-no-phones="Phones cannot open' in admin.get("people").text


@pytest.mark.parametrize("address", ["http://localhost:8080/", "http://127.0.0.1:8080/"])
def test_an_address_of_this_machine_only_is_no_address_for_phones(address: str) -> None:
    with clock_room(address=address) as room, room.client("admin") as admin:
        page = admin.get("/").text
        assert "pocket.svg" not in page
        assert "the address under [web] in room.toml is this machine" in page
        refused = admin.get("pocket.svg")
        assert refused.status_code == 404
        assert "no phone can reach it" in refused.json()["error"]
        assert admin.post("people/code", json={"name": "Ann"}).json()["svg"] == ""


def test_a_code_made_on_this_machine_leads_phones_to_the_rooms_address() -> None:
    with clock_room(address=OUTSIDE) as room, room.client("admin") as admin:
        assert "pocket.svg" in admin.get("/").text
        made = admin.post("people/code", json={"name": "Ann"}).json()
        assert made["url"].startswith(f"{OUTSIDE}join?code=")
        assert made["svg"].startswith("<svg")


def test_a_demo_has_no_settings_to_point_to() -> None:
    with clock_room(control="http://127.0.0.1:9/") as room, room.client("admin") as admin:
        page = admin.get("/").text
        assert "The demo is for this machine alone" in page
        assert "room.toml" not in page
