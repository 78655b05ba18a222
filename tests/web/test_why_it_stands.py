"""Why the room has stopped its own clock is said in the language of each screen."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from controller.contract.clock_why import ONE_LEFT, at_table
from controller.files.settings import config_dir
from controller.library.languages import languages
from controller.room.view import RoomView
from display.wall.words import Words, load
from display.web.desk import desk
from display.web.pocket import pocket, words_of
from display.web.screen import screen
from tests.wall.rooms import LEVEL, heard
from tests.wall.test_wall_news import news

STANDS = replace(LEVEL, ended=True, deadline_ms=None, remaining_ms=9_000)


def in_words(words: Words) -> dict[str, str]:
    return {
        ONE_LEFT: words("one-left"),
        at_table("3"): words("table", table="3"),
        at_table("3", "Four-card flop"): words("wrong-at", title="Four-card flop", tables="3"),
        "Fire alarm: all out": "Fire alarm: all out",
    }


@pytest.mark.parametrize("language", languages(config_dir()))
def test_on_walls_phones_and_the_desk(language: str) -> None:
    words = load(language, config_dir())
    for why, said in in_words(words).items():
        clock = replace(STANDS, why=why)
        room = RoomView("hall", "x", 0, clock, (), (), heard=True, banner="", state="ended")
        assert screen(room, words).said == (said,)
        told = pocket(room, words_of(language)).told
        assert told is not None
        assert told.why == said
        assert desk(room, language).clock.why == said
        assert said in news(heard(STANDS, state="ended", why=why), language=language)
    assert (words("one-left") == "One player left") is (language == "en")
