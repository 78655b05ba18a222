"""The clock's history says in sentences what people did."""

from __future__ import annotations

import re

import pytest

from controller.files.settings import config_dir
from controller.library.languages import languages
from controller.room.acts import ACTS, ActError
from controller.room.buying import BUYING_ACTS
from controller.room.conduct import CONDUCT_ACTS
from controller.room.did import Did, Where
from controller.room.hand_for_hand import ROUND_ACTS
from controller.room.money_acts import MONEY_ACTS
from controller.room.races import RACE_ACTS
from controller.room.register_acts import REGISTER_ACTS
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
        '{"entrant":"p4","known":{"player":"Cleo","table":"T1","seat":4}}',
        '{"entrant":"p4"}',
    ),
    "unbust": (
        "",
        '{"id":1}',
        '{"id":1,"known":{"player":"Cleo"}}',
        '{"ids":[1,2],"known":{"players":["Ann","Cleo"]}}',
        '{"ids":[1,2]}',
    ),
    "undraw": ('{"seed":"3f"}', ""),
    "reinstate": ('{"player":"p4","known":{"player":"Cleo"}}', '{"player":"p4"}'),
    "undisqualify": ('{"id":1,"known":{"player":"Cleo"}}', '{"id":1}'),
    "enter": ('{"name":"Cleo"}', '{"name":"Cleo","table":"T1","seat":4,"paid":true}'),
    "import": ('{"known":{"count":70}}', '{"known":{"count":1}}', ""),
    "correct": (
        '{"player":"p4","name":"Cleo D.","paid":true,"known":{"player":"Cleo"}}',
        '{"player":"p4","paid":false,"known":{"player":"Cleo"}}',
        '{"player":"p4"}',
    ),
    "withdraw": ('{"player":"p4","known":{"player":"Cleo"}}', '{"player":"p4"}'),
    "stand": ('{"player":"p4","known":{"player":"Cleo"}}', '{"player":"p4"}'),
    "sit": (
        '{"player":"p4","table":"T1","seat":4,"known":{"player":"Cleo"}}',
        '{"player":"p4","table":"T1","seat":4,"swap":true,"known":{"player":"Cleo","other":"Bob"}}',
    ),
    "mark": (
        '{"player":"p4","status":"absent","known":{"player":"Cleo"}}',
        '{"player":"p4","status":"seated","known":{"player":"Cleo"}}',
    ),
    "tables": ('{"tables":[{"table":"T1","seats":9},{"table":"T2","seats":8}]}', '{"tables":[]}'),
    "draw": (
        '{"seed":"3f","known":{"count":68}}',
        '{"seed":"3f","known":{"count":1}}',
        '{"seed":"3f"}',
    ),
    "apart": (
        '{"players":["p1","p2"],"known":{"players":["Ann","Bob"]}}',
        '{"players":["p1","p2"],"together":true}',
    ),
    "late": ('{"level":6}', '{"known":{"always":true}}', ""),
    "redraw": ('{"seed":"3f","tables":["T1","T2"],"all":true}', '{"seed":"3f","tables":["T1"]}'),
    "even": ('{"gap":3}', '{"known":{"book":true}}', "", '{"gap":3,"halt":2}', '{"halt":0}'),
    "waive": ('{"table":"T1"}', '{"table":"T1","ends":true}'),
    "button": ('{"table":"T1","seat":4}',),
    "draw-button": ('{"table":"T1","seed":"3f"}',),
    "arrive": (
        '{"player":"p4","known":{"player":"Cleo"}}',
        '{"player":"p4","ends":true,"known":{"player":"Cleo"}}',
    ),
    "sit-later": (
        '{"player":"p4","table":"T1","seat":3,"known":{"player":"Cleo"}}',
        '{"player":"p4","table":"T1","seat":3,"ends":true,"known":{"player":"Cleo"}}',
    ),
    "put-off": ("", '{"ends":true}'),
    "leave-button": ('{"table":"T1"}',),
    "hand-for-hand": ('{"minutes":2,"share":true,"until":50}',),
    "next-round": ("",),
    "table-by-table": ("",),
    "clear": ('{"known":{"count":70}}', '{"known":{"count":1}}', ""),
    "card": ('{"player":"p4","card":"As","known":{"player":"Cleo"}}',),
    "busts": (
        '{"outs":[{"entrant":"p1"},{"entrant":"p2"}],"share":true,"known":{"players":["Ann","Bob"]}}',
        '{"outs":[{"entrant":"p1","began":5},{"entrant":"p2","began":6}]}',
    ),
    "offer": (
        '{"what":"rebuy","until":4,"most":1,"at_most":0}',
        '{"what":"add-on","chips":5000}',
        '{"what":"re-entry","ends":true}',
    ),
    "buy": tuple(
        f'{{"player":"p4","what":"{what}","known":{{"player":"Cleo"}}}}'
        for what in ("re-entry", "rebuy", "add-on")
    ),
    "unbuy": ('{"player":"p4","what":"rebuy","known":{"player":"Cleo"}}',),
    "warn": ('{"player":"p4","reason":"phone","known":{"player":"Cleo"}}', '{"player":"p4"}'),
    "penalise": (
        '{"player":"p4","unit":"hands","amount":1,"known":{"player":"Cleo"}}',
        '{"player":"p4","unit":"rounds","amount":2,"reason":"abuse","known":{"player":"Cleo"}}',
        '{"player":"p4","unit":"minutes","amount":10,"known":{"player":"Cleo"}}',
    ),
    "disqualify": ('{"player":"p4","known":{"player":"Cleo"}}',),
    "pardon": ('{"id":1,"known":{"player":"Cleo"}}', '{"id":1}'),
    "race": ('{"table":"T1","chip":25,"seats":[]}', ""),
    "unrace": ('{"id":1,"known":{"table":"T1"}}', '{"id":1}'),
    "colour-up": (
        '{"chip":1000,"when":"now"}',
        '{"chip":25,"when":"break"}',
        '{"chip":25,"ends":true}',
    ),
    "pay": ('{"player":"p4","known":{"player":"Cleo"}}', '{"player":"p4"}'),
    "owe": ('{"player":"p4","entry":true,"known":{"player":"Cleo"}}',),
    "money": (
        '{"buy_in":2500,"fee":250,"guarantee":100000,"unit":100,"currency":"€"}',
        '{"re_entry":2000,"rebuy":2000,"add_on":1050,"known":{"currency":"CHF"}}',
        '{"forget":["rebuy"]}',
    ),
    "payout": (
        '{"places":5}',
        '{"hundredths":[6000,4000]}',
        '{"amounts":[6000,4000]}',
        '{"known":{"usual":true}}',
        "",
    ),
    "deal": (
        '{"shares":[{"player":"p1","amount":5}],"known":{"players":["Ann"]}}',
        '{"shares":[{"player":"p1","amount":5}],"pays":true,"known":{"players":["Ann","Bob"]}}',
        '{"shares":[{"player":"p1","amount":5}]}',
    ),
    "undeal": ('{"id":1}',),
    "pay-out": (
        '{"finish":3,"known":{"player":"Cleo","amount":12050,"currency":"€"}}',
        '{"player":"p4"}',
    ),
    "unpay-out": ('{"finish":3,"known":{"player":"Cleo","amount":12000}}',),
    "tell-seats": ('{"table":"T1"}', ""),
}
"""What each act may carry, as it is kept. Whoever adds an act adds it here."""
NAMES = (
    *ACTS,
    *TELLS,
    *REGISTER_ACTS,
    *BUYING_ACTS,
    *CONDUCT_ACTS,
    *ROUND_ACTS,
    *RACE_ACTS,
    *MONEY_ACTS,
    "busts",
)
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
    assert set(CARRIED) == set(NAMES)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", NAMES)
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
    for name in NAMES:
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
        ("busts", CARRIED["busts"][0], None, "Ann marked out in one hand: Ann, Bob"),
        ("offer", CARRIED["offer"][0], None, "Ann allowed rebuys (until the end of level 4)"),
        ("offer", CARRIED["offer"][2], None, "Ann ended re-entries"),
        ("buy", CARRIED["buy"][0], None, "Ann entered Cleo again"),
        ("warn", CARRIED["warn"][0], None, "Ann warned Cleo: phone"),
        (
            "penalise",
            CARRIED["penalise"][1],
            None,
            "Ann gave Cleo a penalty (rounds: 2): abuse",
        ),
        ("card", CARRIED["card"][0], None, "Ann seated Cleo by the card As"),
        ("bust", CARRIED["bust"][5], None, "Ann marked Cleo out (table T1, seat 4)"),
        ("unbust", CARRIED["unbust"][2], None, "Ann brought Cleo back in"),
        ("enter", CARRIED["enter"][1], None, "Ann entered Cleo (table T1, seat 4)"),
        ("import", CARRIED["import"][0], None, "Ann imported 70 players"),
        (
            "correct",
            CARRIED["correct"][0],
            None,
            "Ann renamed Cleo to Cleo D.; Ann noted that Cleo D. has paid",
        ),
        ("sit", CARRIED["sit"][0], None, "Ann seated Cleo at table T1, seat 4"),
        ("sit", CARRIED["sit"][1], None, "Ann seated Cleo at table T1, seat 4, swapping with Bob"),
        ("mark", CARRIED["mark"][0], None, "Ann marked Cleo absent"),
        (
            "tables",
            CARRIED["tables"][0],
            None,
            "Ann set the tables of the tournament, with seats: T1 (9), T2 (8)",
        ),
        ("draw", CARRIED["draw"][0], None, "Ann drew seats for 68 players with the seed 3f"),
        ("draw", CARRIED["draw"][2], None, "Ann drew seats with the seed 3f"),
        (
            "apart",
            CARRIED["apart"][0],
            None,
            "Ann keeps these players at different tables: Ann, Bob",
        ),
        (
            "even",
            CARRIED["even"][3],
            None,
            "Ann has players moved once two tables differ by 3; "
            "Ann has a table stop once it is 2 players short",
        ),
        ("even", CARRIED["even"][4], None, "Ann has no table stop for being short"),
        ("unbust", CARRIED["unbust"][3], None, "Ann brought these players back in: Ann, Cleo"),
        ("undraw", CARRIED["undraw"][0], None, "Ann took back the draw of seats with the seed 3f"),
        ("reinstate", CARRIED["reinstate"][0], None, "Ann took back that Cleo was withdrawn"),
        ("late", CARRIED["late"][0], None, "Ann opened registration until the end of level 6"),
        ("late", CARRIED["late"][1], None, "Ann opened registration without an end"),
        ("clear", CARRIED["clear"][0], None, "Ann cleared the list of 70 players"),
        (
            "redraw",
            CARRIED["redraw"][0],
            None,
            "Ann redrew all seats at T1, T2 with the seed 3f",
        ),
        (
            "redraw",
            '{"seed":"3f","tables":["T1","T2","T3","T4","T5"]}',
            None,
            "Ann drew those from other tables to T1, T2 … T5 with the seed 3f",
        ),
        ("even", CARRIED["even"][0], None, "Ann has players moved once two tables differ by 3"),
        ("even", CARRIED["even"][1], None, "Ann has players moved as the rule book says"),
        ("waive", CARRIED["waive"][1], None, "Ann stops table T1 while it is short of players"),
        (
            "colour-up",
            CARRIED["colour-up"][0],
            None,
            "Ann has the 1,000 chips leave play now",
        ),
        (
            "race",
            CARRIED["race"][0],
            None,
            "Ann entered the race of the 25 chips at table T1",
        ),
        ("tell-seats", CARRIED["tell-seats"][0], None, "Ann told table T1 its seats again"),
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


def test_players_are_named_also_once_they_are_gone() -> None:
    hall = Hall(structure=EVENING)
    hall.act("tables", tables=[{"table": "T1", "seats": 9}])
    hall.act("import", players=[{"name": name} for name in ("Cleo", "Bob", "Eve", "Zoe")])
    hall.act("sit", player="p1", table="T1", seat=4)
    hall.act("sit", player="p2", table="T1", seat=5)
    hall.act("sit", player="p1", table="T1", seat=5, swap=True)
    hall.act("bust", table="T1", seat=5)
    hall.act("unbust")
    hall.act("stand", player="p2")
    hall.act("withdraw", player="p2")
    hall.act("draw", seed="3f")
    hall.act("clear")
    assert [text for text, _ in lines(hall)][1:] == [
        "Ann imported 4 players",
        "Ann seated Cleo at table T1, seat 4",
        "Ann seated Bob at table T1, seat 5",
        "Ann seated Cleo at table T1, seat 5, swapping with Bob",
        "Ann marked Cleo out (table T1, seat 5)",
        "Ann brought Cleo back in",
        "Ann took Bob's seat away",
        "Ann withdrew Bob",
        "Ann drew seats for 2 players with the seed 3f",
        "Ann cleared the list of 3 players",
    ]


def test_of_a_file_the_history_keeps_no_list() -> None:
    hall = Hall(structure=EVENING)
    hall.act("import", players=[{"name": f"Player {number}"} for number in range(3_000)])
    with pytest.raises(ActError):
        hall.act("import", players=[{"name": f"Player {number}"} for number in range(3_000)])
    assert all(len(did.words) < 100 for did in hall.room.view().history)


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
