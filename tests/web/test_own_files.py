"""The pages' own files are sent from memory, and are those on the disk all the same."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest
from starlette.applications import Starlette
from starlette.routing import Mount

from display.web.serving.own_files import OwnFiles

Ask = Callable[..., httpx.Response]


@pytest.fixture
def ask(tmp_path: Path) -> Ask:
    (tmp_path / "page.js").write_text("one")
    app = Starlette(routes=[Mount("/static", OwnFiles(tmp_path))])

    async def answer(path: str, method: str, headers: dict[str, str]) -> httpx.Response:
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://room") as client:
            return await client.request(method, f"/static/{path}", headers=headers)

    return lambda path="page.js", method="GET", **headers: asyncio.run(
        answer(path, method, {name.replace("_", "-"): value for name, value in headers.items()})
    )


def test_a_file_is_read_once(ask: Ask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = ask()
    read: list[Path] = []

    def again(path: Path) -> bytes:
        read.append(path)
        return b"now"

    monkeypatch.setattr(Path, "read_bytes", again)
    second = ask()
    assert read == []
    assert (first.text, second.text) == ("one", "one")
    assert first.headers["content-type"].startswith("text/javascript")
    assert first.headers == second.headers
    (tmp_path / "page.js").write_text("now")
    os.utime(tmp_path / "page.js", ns=(1, 1))
    assert ask().text == "now"
    assert read == [tmp_path / "page.js"]


def test_one_that_has_changed_is_sent_as_it_is_now(ask: Ask, tmp_path: Path) -> None:
    before = ask()
    (tmp_path / "page.js").write_text("another")
    after = ask(if_none_match=before.headers["etag"])
    assert (after.status_code, after.text) == (200, "another")
    assert after.headers["content-length"] == "7"


def test_what_a_browser_has_is_not_sent_again(ask: Ask) -> None:
    tag = ask().headers["etag"]
    answer = ask(if_none_match=tag)
    assert (answer.status_code, answer.content) == (304, b"")


def test_parts_of_a_file_can_be_asked_for(ask: Ask) -> None:
    ask()
    answer = ask(range="bytes=1-2")
    assert (answer.status_code, answer.text) == (206, "ne")


def test_of_a_file_nobody_asks_the_whole_of_only_its_length_is_told(ask: Ask) -> None:
    answer = ask(method="HEAD")
    assert (answer.headers["content-length"], answer.content) == ("3", b"")


@pytest.mark.parametrize("path", ["none.js", "../secret", "%2e%2e/secret", ""])
def test_what_is_not_there_is_not_found(ask: Ask, path: str) -> None:
    assert ask(path).status_code == 404
