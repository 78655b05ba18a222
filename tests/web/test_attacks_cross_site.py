"""Another site's page in the browser of somebody who is signed in."""

from __future__ import annotations

import httpx
import pytest

from tests.waiting import PATIENCE_S
from tests.web.hall import Hall

ASKED = (
    "login", "logout", "join", "setup", "clock/pause", "floor/T1/coming", "people/add",
    "people/remove", "people/code",
)  # fmt: skip
ELSEWHERE = [
    {"Origin": "http://evil.example"},
    {"Origin": "null"},
    {"Origin": ""},
    {"Origin": "http://127.0.0.1:1"},
    {"Origin": "http://127.0.0.1.evil.example"},
    {"X-Requested-With": ""},
    {"X-Requested-With": "XMLHttpRequest"},
]


@pytest.mark.parametrize("path", ASKED)
@pytest.mark.parametrize("headers", ELSEWHERE)
def test_no_other_page_can_ask_for_anything(
    one_hall: Hall, path: str, headers: dict[str, str]
) -> None:
    with one_hall.client("admin", "Ada") as client:
        for name, value in headers.items():
            del client.headers[name]
            if value:
                client.headers[name] = value
        answer = client.post(path, json={"name": "Eve", "code": "x", "pin": "4711"})
        assert (answer.status_code, answer.json()["error"]) == (
            403,
            "not sent from a page of this room",
        )
        assert client.get("me.json").status_code == 200


def test_two_origins_are_none(one_hall: Hall) -> None:
    with one_hall.client("director", "Dora") as client:
        both = [("Origin", one_hall.url.rstrip("/")), ("Origin", "http://evil.example")]
        sent = [(name, value) for name, value in client.headers.items() if name != "origin"]
        answer = client.post("clock/pause", json={}, headers=[*sent, *both])
        assert answer.status_code == 403


def test_https_is_another_origin_than_http(one_hall: Hall) -> None:
    with one_hall.client("director", "Dora") as client:
        safe = one_hall.url.rstrip("/").replace("http:", "https:")
        assert client.post("clock/pause", json={}, headers={"Origin": safe}).status_code == 403


def test_a_form_of_another_site_signs_nobody_in(one_hall: Hall) -> None:
    form = httpx.Client(
        base_url=one_hall.url, headers={"Origin": "http://evil.example"}, timeout=PATIENCE_S
    )
    with form:
        answer = form.post("login", data={"name": "Mallory", "pin": "4711"})
        assert answer.status_code == 403
        assert "set-cookie" not in answer.headers


@pytest.mark.parametrize("path", ["", "login", "floor", "blinds", "healthz", "static/floor/who.js"])
def test_every_answer_says_what_browsers_may_do_with_it(one_hall: Hall, path: str) -> None:
    with one_hall.client("viewer", "Vic") as client:
        headers = client.get(path, headers={"Origin": "http://evil.example"}).headers
    policy = headers["content-security-policy"]
    assert "frame-ancestors 'none'" in policy
    assert "default-src 'self'" in policy
    assert headers["x-frame-options"] == "DENY"
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["cross-origin-opener-policy"] == "same-origin"
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert "camera=()" in headers["permissions-policy"]
    assert headers["referrer-policy"] == "no-referrer"
    assert "access-control-allow-origin" not in headers
    assert "strict-transport-security" not in headers  # this is plain HTTP
    assert "server" not in headers


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:8080", "127.0.0.1.evil.example", "localhost.evil.example", "",
     "evil.example@127.0.0.1", "[::1", "127.0.0.1:x", "a b"],
)  # fmt: skip
def test_a_name_that_was_made_to_lead_here_gets_nothing(one_hall: Hall, host: str) -> None:
    with one_hall.client("admin", "Ada") as client:
        for path in ("clock.json", "blinds", "healthz", "login"):
            answer = client.get(path, headers={"Host": host, "Origin": f"http://{host}"})
            assert answer.status_code in (400, 421), path
        answer = client.post(
            "clock/pause", json={}, headers={"Host": host, "Origin": f"http://{host}"}
        )
        assert answer.status_code in (400, 421)


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:80", "localhost.", "[::1]:9", "10.0.0.9"])
def test_names_and_addresses_of_this_machine_do(one_hall: Hall, host: str) -> None:
    with one_hall.client() as client:
        assert client.get("healthz", headers={"Host": host}).status_code == 200
