"""The room's page says when its machine was last saved, to those who would have to do it."""

from __future__ import annotations

import time
from html import unescape
from pathlib import Path

import httpx
import msgspec
import pytest

from controller.replay.words import fill
from controller.room.last_backup import NAME, OLD_MS, LastBackup, last_backup
from display.web.speech import when
from display.web.words import page_words
from tests.waiting import PATIENCE_S
from tests.web.hall import CODE, JOIN
from tests.web.test_first_start import post, room

WORDS = page_words("index", "en")


def made(folder: Path, age_ms: int) -> str:
    at_ms = time.time_ns() // 1_000_000 - age_ms
    (folder / NAME).write_bytes(msgspec.json.encode(LastBackup(at_ms, 5, "/media/stick/a.zip")))
    return when(at_ms)


def test_when_it_was_and_that_it_is_time_for_another(tmp_path: Path) -> None:
    with room(tmp_path, **JOIN) as (ready, _):
        url = ready["url"]
        cookie = post(url, "join", {"code": CODE}).headers["Set-Cookie"].partition(";")[0]

        def page(**headers: str) -> str:
            return unescape(httpx.get(url, headers=headers, timeout=PATIENCE_S).text)

        assert WORDS["no-backup"] in page(Cookie=cookie)
        at = made(tmp_path, 3_600_000)
        assert f'<p id="backup">{fill(WORDS["backup"], {"when": at})}</p>' in page(Cookie=cookie)
        at = made(tmp_path, OLD_MS + 60_000)
        told = fill(WORDS["old-backup"], {"when": at})
        assert f'<p id="backup" class="banner">{told}</p>' in page(Cookie=cookie)
        assert 'id="backup"' not in page()


@pytest.mark.parametrize("content", [b"", b"{", b"[1]", b'{"at_ms":"x"}'])
def test_what_cannot_be_read_is_none(tmp_path: Path, content: bytes) -> None:
    (tmp_path / NAME).write_bytes(content)
    assert last_backup(tmp_path / "room.sqlite") is None
    assert last_backup(None) is None
