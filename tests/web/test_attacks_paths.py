"""Addresses that try to be read in two ways, sent as they are."""

from __future__ import annotations

import http.client
from contextlib import closing
from urllib.parse import quote, urlsplit

import pytest
from msgspec import Struct

from tests.waiting import PATIENCE_S
from tests.web.hall import Hall


class Raw(Struct):
    status: int
    body: bytes
    headers: http.client.HTTPMessage


def raw(hall: Hall, path: str, method: str = "GET", **headers: str) -> Raw:
    parts = urlsplit(hall.url)
    connection = http.client.HTTPConnection(
        str(parts.hostname), parts.port or 80, timeout=PATIENCE_S
    )
    with closing(connection):
        connection.request(method, path, headers=headers)
        answer = connection.getresponse()
        body = b"" if path.endswith("/events") else answer.read()
        return Raw(answer.status, body, answer.headers)


@pytest.mark.parametrize(
    "path",
    [
        "//people.json",
        "/./people.json",
        "/static/../people.json",
        "/static/%2e%2e/people.json",
        "/static/..%2fpeople.json",
        "/screen/..;/people.json",
        "/screen/%2e%2e%2fpeople.json",
        "/screen%2f..%2fpeople.json",
        "/people.json%00",
        "/people.json/",
        "/people.json%20",
        "/PEOPLE.JSON",
        "/static/%5c..%5cpeople.json",
        "/pocket/../people.json",
        "/static/../../app.py",
        "/static/..%2f..%2fapp.py",
        "/static//etc/passwd",
        "/clock.json;/static/x",
        "/%70eople.json",
    ],
)
def test_no_way_round_leads_to_what_needs_a_role(one_hall: Hall, path: str) -> None:
    answer = raw(one_hall, path)
    assert answer.status in (401, 404), answer.body
    assert b"sessions" not in answer.body
    assert b"import" not in answer.body


@pytest.mark.parametrize(
    "to",
    ["//evil.example", "https://evil.example", "/\\evil.example", "javascript:alert(1)",
     "/%0d%0aSet-Cookie:a=b", "/floor%0d%0aLocation:http://evil"],
)  # fmt: skip
def test_signing_in_leads_nowhere_else(one_hall: Hall, to: str) -> None:
    with one_hall.client() as client:
        shown = client.get(f"login?to={quote(to, safe='')}").text
        assert 'data-to="/"' in shown
        assert "evil" not in shown
        one_hall.cookie()
        code = one_hall.get(lambda: one_hall.door.invite("Ann"))
        assert client.post("join", json={"code": code, "to": to}).json()["to"] == "/"


@pytest.mark.parametrize("path", ["/floor?a=%0d%0aSet-Cookie:%20a=b", "/floor?to=//evil.example"])
def test_nothing_of_an_address_becomes_a_header(one_hall: Hall, path: str) -> None:
    answer = raw(one_hall, path, Accept="text/html")
    assert answer.status == 303
    assert answer.headers["location"].startswith("/login?to=/floor")
    assert answer.headers["set-cookie"] is None
    assert "\n" not in answer.headers["location"]


def test_a_page_leads_to_signing_in_and_a_program_is_told(one_hall: Hall) -> None:
    assert raw(one_hall, "/floor", Accept="text/html").headers["location"] == (
        "/login?to=/floor&needs=viewer"
    )
    assert raw(one_hall, "/floor/events").status == 401
    assert raw(one_hall, "/nowhere").status == 401
    assert raw(one_hall, "/floor", method="TRACE").status in (401, 403)
    assert raw(one_hall, "/floor", method="OPTIONS", Origin="http://evil.example").status == 403
