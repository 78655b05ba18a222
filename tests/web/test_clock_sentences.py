"""The clock's history says in sentences what people did."""

from __future__ import annotations

import re

import pytest

from controller.files.settings import config_dir
from controller.library.languages import languages
from controller.room.acts import ACTS, ActError
from controller.room.did import Did, Where
from controller.room.tournament import TELLS
from display.web.clock_sentences import clock_sentence
from display.web.desk import desk
from display.web.sentences import sentences
from tests.room.evening import EVENING, MINUTE, Hall

LANGUAGES = languages(config_dir())
RAW = re.compile(r'[{}"]|[a-z]_[a-z]|\bNone\b')

LEVEL = '{"duration_ms":900000,"blinds":{"small":1000,"big":2000,"ante":2000}}'
BREAK = '{"duration_ms":450000,"blinds":null}'
CARRIED: dict[str, tuple[str, ...]] = {
    "start": ("",),
    "pause": ("", '{"reason":"fire alarm"}'),
    "resume": ("",),
    "go": ('{"index":2}',),
    "next": ("",),
    "back": ("",),
    "time": ('{"by_ms":60000}', '{"by_ms":-90000}'),
    "break": ('{"duration_ms":600000}',),
    "answer": ('{"choice":"resume"}', '{"choice":"catch-up"}', '{"choice":"stay"}'),
    "change": (f'{{"index":1,"entry":{LEVEL}}}', f'{{"index":2,"entry":{BREAK}}}'),
    "insert": (f'{{"index":1,"entry":{LEVEL}}}', f'{{"index":1,"entry":{BREAK}}}'),
    "remove": ('{"index":1}',),
    "structure": (
        f'{{"structure":{{"name":"Turbo","entries":[{LEVEL},{BREAK},{LEVEL}]}}}}',
        f'{{"structure":{{"name":"Sprint","entries":[{LEVEL}]}}}}',
    ),
    "rules": (
        '{"hold_for_hands":true}',
        '{"hold_for_hands":false,"pause_on_dispute":true}',
        '{"pause_on_dispute":false}',
        "{}",
    ),
    "end": ("", '{"reason":"a deal"}'),
    "reopen": ("",),
    "reset": ("",),
    "tournament": (
        '{"name":"Friday","entries":20,"players_left":9,"starting_stack":10000,"chips":90000,'
        '"prizes":["500","200"]}',
        '{"forget":["players_left","starting_stack","chips","name","entries","prizes"]}',
        '{"entries":20,"forget":["chips"]}',
        "{}",
    ),
    "notice": ('{"text":"Dinner"}', '{"text":"Dinner","minutes":7.5}'),
    "unnotice": ('{"id":1}',),
    "move": ('{"player":"Eve","from":{"table":"T1","seat":3},"to":{"table":"T2","seat":null}}',),
    "unmove": ('{"id":1}',),
    "bust": (
        "",
        '{"player":"Cleo","table":"T1","seat":4}',
        '{"player":"Cleo","table":"T1","place":12}',
        '{"player":"Cleo","together":true}',
        '{"player":"Cleo","place":1}',
    ),
    "unbust": ("", '{"id":1}'),
}
"""What each act may carry, as it is kept. Whoever adds an act adds it here."""
WHERE = (
    None,
    Where(3),
    Where(2, on_break=True),
    Where(0, on_break=True),
    Where(3, left_ms=725_000),
    Where(3, on_break=True, left_ms=10_000),
    Where(3, left_ms=725_000, ended_break=True),
)


def said(name: str, words: str = "", language: str = "en", **more: object) -> str:
    return clock_sentence(Did(0, 0, "Ann", name, words, **more), language)  # type: ignore[arg-type]


def test_every_act_has_an_example() -> None:
    assert set(CARRIED) == {*ACTS, *TELLS}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", [*ACTS, *TELLS])
def test_every_act_is_a_sentence(name: str, language: str) -> None:
    unknown = said("nothing of ours", language=language)
    for words in CARRIED[name]:
        for where in WHERE:
            line = said(name, words, language, where=where)
            assert line.startswith("Ann "), line
            assert RAW.search(line) is None, line
            assert line != unknown
    refused = said(name, CARRIED[name][0], language, refused="the clock stands already")
    assert RAW.search(refused) is None
    assert refused.startswith("Ann ")
    assert refused != said(name, "", language)
    assert sentences(language).tried[f"clock-{name}"] in refused


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "words",
    ['{"structure":{"name":"Turbo","entries":[{"dura', '{"new_field":{"a":1}}', "[1]", "\xff"],
)
def test_what_was_kept_in_part_or_by_another_version_has_no_details(
    language: str, words: str
) -> None:
    for name in [*ACTS, *TELLS]:
        assert said(name, words, language) == sentences(language)(f"clock-{name}", who="Ann")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ["shuffle_up", "tournament-set", "time-more", ""])
def test_what_only_a_newer_version_knows_is_said_in_general(name: str, language: str) -> None:
    for line in (
        said(name, '{"how":{"many_times":3}}', language),
        said(name, '{"how":3}', language, refused="no"),
    ):
        assert RAW.search(line) is None
        assert line.startswith("Ann ")
        assert "shuffle" not in line
    assert said(name) == "Ann did something that this version does not know"


@pytest.mark.parametrize(
    ("name", "words", "where", "line"),
    [
        ("pause", "", WHERE[4], "Ann paused the clock with 12:05 left in level 3"),
        (
            "pause",
            CARRIED["pause"][1],
            WHERE[5],
            "Ann paused the clock with 00:10 left in the break: fire alarm",
        ),
        ("next", "", WHERE[1], "Ann moved the clock on to level 3"),
        ("next", "", WHERE[2], "Ann moved the clock on to the break after level 2"),
        ("next", "", WHERE[3], "Ann moved the clock on"),
        ("next", "", WHERE[6], "Ann ended the break with 12:05 left in level 3"),
        ("time", CARRIED["time"][0], WHERE[1], "Ann added 01:00 to level 3"),
        ("time", CARRIED["time"][1], WHERE[2], "Ann took 01:30 off the break"),
        ("time", CARRIED["time"][1], None, "Ann took 01:30 off the clock"),
        ("break", CARRIED["break"][0], None, "Ann called a break of 10 min"),
        (
            "change",
            CARRIED["change"][0],
            WHERE[1],
            "Ann changed level 3 to 1,000 / 2,000 · Ante 2,000, 15 min",
        ),
        ("insert", CARRIED["insert"][1], WHERE[2], "Ann added a break after level 2: 7.5 min"),
        ("insert", CARRIED["insert"][1], None, "Ann added to the structure: 7.5 min"),
        ("structure", CARRIED["structure"][0], None, "Ann set the structure to Turbo (2 levels)"),
        ("structure", CARRIED["structure"][1], None, "Ann set the structure to Sprint (1 level)"),
        (
            "rules",
            CARRIED["rules"][1],
            None,
            "Ann set breaks not to wait for hands; Ann set disputes to pause the clock",
        ),
        (
            "tournament",
            CARRIED["tournament"][0],
            None,
            "Ann set the name to Friday, the entries to 20, the players left to 9,"
            " the starting stack to 10,000, the chips in play to 90,000, the number of prizes to 2",
        ),
        (
            "tournament",
            CARRIED["tournament"][2],
            None,
            "Ann set the entries to 20; Ann cleared the chips in play",
        ),
        ("notice", CARRIED["notice"][1], None, "Ann put up a notice (7.5 min): Dinner"),
        ("move", CARRIED["move"][0], None, "Ann moved Eve from table T1, seat 3 to table T2"),
        ("bust", CARRIED["bust"][1], None, "Ann marked Cleo out (table T1, seat 4)"),
        ("bust", CARRIED["bust"][2], None, "Ann marked Cleo out (table T1, place 12)"),
        ("bust", CARRIED["bust"][4], None, "Ann named Cleo the winner"),
    ],
)
def test_it_says_what_matters(name: str, words: str, where: Where | None, line: str) -> None:
    assert said(name, words, where=where) == line


def test_words_of_people_are_left_as_they_are() -> None:
    said_so = said("notice", '{"text":"{who} wins \\"it\\" {0}"}')
    assert said_so == 'Ann put up a notice: {who} wins "it" {0}'


def lines(hall: Hall, language: str = "en") -> list[tuple[str, str]]:
    return [(each.text, each.refused) for each in desk(hall.room.view(), language).history]


def test_an_evening_is_told_as_it_was() -> None:
    hall = Hall(structure=EVENING)
    hall.act("start")
    hall.passes(5 * MINUTE)
    hall.act("pause", reason="fire alarm")
    hall.act("resume")
    hall.act("next")
    hall.act("next")
    hall.act("back")
    hall.act("break", duration_ms=10 * MINUTE)
    hall.act("time", by_ms=MINUTE)
    hall.act("next")
    hall.act("remove", index=2)
    hall.act("insert", index=2, entry={"duration_ms": 5 * MINUTE, "blinds": None})
    hall.act("go", index=3)
    with pytest.raises(ActError):
        hall.act("next")
    assert lines(hall) == [
        ("Ann started the clock", ""),
        ("Ann paused the clock with 15:00 left in level 1: fire alarm", ""),
        ("Ann resumed the clock with 15:00 left in level 1", ""),
        ("Ann moved the clock on to level 2", ""),
        ("Ann moved the clock on to the break after level 2", ""),
        ("Ann moved the clock back to level 2", ""),
        ("Ann called a break of 10 min", ""),
        ("Ann added 01:00 to the break", ""),
        ("Ann ended the break with 20:00 left in level 2", ""),
        ("Ann took out the break after level 2", ""),
        ("Ann added a break after level 2: 5 min", ""),
        ("Ann moved the clock to level 3", ""),
        ("Ann tried to move the clock on", "this is the last level"),
    ]


def test_a_long_structure_is_kept_whole() -> None:
    hall = Hall()
    levels = [{"duration_ms": MINUTE, "blinds": {"small": n, "big": 2 * n}} for n in range(1, 41)]
    hall.act("structure", structure={"name": "Marathon", "entries": levels})
    assert lines(hall) == [("Ann set the structure to Marathon (40 levels)", "")]
    assert lines(hall, "de") == [("Ann hat die Struktur Marathon gewählt (40 Level)", "")]


def test_a_reason_for_programs_is_not_for_people() -> None:
    reasons = ("Expected `int`, got `str` - at `$.entries`", '{"error":1}', "no field players_left")
    for language in LANGUAGES:
        say = sentences(language)
        for reason in reasons:
            assert say.refusal(reason) == say("why-other")
        assert say.refusal("the clock stands already") == "the clock stands already"
