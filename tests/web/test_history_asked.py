"""What an address of the history asks, and how it is refused."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import parse_qsl

import pytest

from controller.archive.kept import Query
from display.web.history import FIELDS, Asked, asked, local_ms
from display.web.speech import speech
from display.web.ways import address

TABLES = ("T1", "T2", "Feature")


def ask(query: str, *, dealers: bool = False, language: str = "en") -> Asked:
    pairs = parse_qsl(query, keep_blank_values=True)
    return asked(pairs, TABLES, speech(language), dealers=dealers)


def test_everything_that_can_be_asked() -> None:
    made = ask(
        "table=T1&from=2026-11-20&until=2026-11-21T03:30&code=four-card-flop&person=Fay+Floor"
        "&hand=12&text=burn&found=1&cursor=1-2-3&lang=de"
    )
    assert made.faults == {}
    assert made.query == Query(
        table="T1",
        since_ms=local_ms("2026-11-20"),
        until_ms=local_ms("2026-11-21 03:30"),
        code="four-card-flop",
        person="Fay Floor",
        hand=12,
        text="burn",
        found=True,
        dealers=False,
    )
    assert made.cursor == "1-2-3"
    assert made.given["from"] == "2026-11-20T00:00"
    assert "lang" not in made.given
    assert "cursor" not in made.given


def test_what_is_empty_asks_nothing() -> None:
    made = ask("table=&code=+&hand=&found=")
    assert (made.query, made.faults, made.given) == (Query(dealers=False), {}, {})
    assert ask("", dealers=True).query == Query()


@pytest.mark.parametrize(
    ("query", "field", "words", "nearest"),
    [
        ("table=t2", "table", "There is no table 't2'.", "T2"),
        ("table=Featur", "table", "There is no table 'Featur'.", "Feature"),
        ("table=2", "table", "There is no table '2'.", "T2"),
        ("table=zzz", "table", "There is no table 'zzz'.", ""),
        ("code=fuor-card-flop", "code", "There is no finding 'fuor-card-flop'.", "four-card-flop"),
        ("from=20.11.2026+18:30", "from", "'20.11.2026 18:30' is not a time", "2026-11-20T18:30"),
        ("until=2026-11-31", "until", "'2026-11-31' is not a time", ""),
        ("from=99999-01-01", "from", "is not a time", ""),
        ("from=2026-11-20&until=2026-11-20", "until", "after the start", ""),
        ("hand=-7", "hand", "'-7' is not a hand number", "7"),
        ("hand=0", "hand", "'0' is not a hand number", "1"),
        ("hand=99999999999", "hand", "is not a hand number", "2147483647"),
        ("hand=%D9%A3", "hand", "is not a hand number", "1"),
        ("text=" + "x" * 101, "text", "At most 100 characters", "x" * 100),
        ("person=a%00b", "person", "At most 80 characters", "ab"),
        ("found=yes", "found", "'yes' is neither 1 nor empty.", "1"),
        ("cursor=1-2-x", "cursor", "no such page", ""),
        ("tabel=T1", "tabel", "There is no field 'tabel'.", "table"),
    ],
)
def test_a_mistake_is_told_in_words_with_what_is_nearest(
    query: str, field: str, words: str, nearest: str
) -> None:
    faults = ask(query).faults
    assert list(faults) == [field]
    assert words in faults[field].words
    assert faults[field].nearest == nearest


def test_all_mistakes_are_told_at_once_and_in_the_language() -> None:
    assert len(ask("table=x&hand=y&code=z").faults) == 3
    assert ask("table=zzz", language="de").faults["table"].words == "Es gibt keinen Tisch „zzz“."


def test_an_address_is_quoted() -> None:
    assert address("/history", {"person": "A&B=ü", "text": "1 + 1"}) == (
        "/history?person=A%26B%3D%C3%BC&text=1+%2B+1"
    )


def test_the_manual_has_every_field_and_no_other() -> None:
    manual = (Path(__file__).parents[2] / "docs" / "history.md").read_text(encoding="utf-8")
    table = manual.split("| field | |")[1].split("\n\n")[0]
    cells = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    assert {name for cell in cells for name in re.findall(r"`(\w+)`", cell)} == {*FIELDS, "lang"}
