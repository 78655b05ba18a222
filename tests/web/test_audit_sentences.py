"""The log of the people says in sentences who did what."""

from __future__ import annotations

import re
from unittest.mock import Mock

import pytest
from starlette.routing import Route

from controller.contract.messages import FLOOR_COMMANDS
from controller.files.settings import config_dir
from controller.library.languages import languages
from controller.people.rights import matches
from controller.people.staff_store import Done
from controller.room.acts import ACTS
from controller.room.alert_acts import ALERT_ACTS
from controller.room.races import RACE_ACTS
from controller.room.tournament import TELLS
from display.web.audit_sentences import audit_line
from display.web.sentences import sentences
from display.web.serving.access.record import NOBODYS
from display.web.serving.app import create_app
from display.web.serving.routes.players import ASKED
from tests.web.test_clock_sentences import CARRIED

LANGUAGES = languages(config_dir())
RAW = re.compile(r'[{}"]|[a-z]_[a-z]|\bNone\b|\bp\d+\b')
REFUSED = ("wrong", "wait", "code", "needs director", "404", "500", "the clock stands already")
TOLD: dict[str, tuple[str, ...]] = {
    "alerts take": ('{"key":"T1/3"}', '{"key":"T1/3","over":true}'),
    "alerts give-back": ('{"key":"T1/3"}',),
    "alerts hand-over": ('{"key":"T1/3","to":"Bob"}',),
    "alerts shelve": ('{"key":"T1/3","minutes":10,"reason":"Table is busy"}',),
    "alerts unshelve": ('{"key":"T1/3"}',),
    "alerts close": ('{"key":"T1/3","reason":"seen to"}',),
    "alerts test": ("", '{"table":"T1"}'),
    "alerts duty": (
        '{"on":true,"sections":["North"],"director":true}',
        '{"on":false}',
        '{"on":true,"person":"Bob"}',
        '{"on":false,"person":"Bob"}',
        '{"on":true,"person":"Ann"}',
    ),
    "alerts section": ('{"name":"North","tables":["T1","T2"]}', '{"name":"North","tables":[]}'),
    "alerts shift": ('{"to":"Bob"}', '{"to":"Bob","note":"T1 is slow"}'),
    "alerts note": ('{"text":"T1 is slow"}', '{"text":"T1 is slow","to":"Bob"}'),
    "alerts read-note": ('{"id":3}',),
    "floor T1 ruling": (
        '{"session":"s","hand":12,"finding":3,"outcome":"misdeal","reason":"two cards"}',
        '{"session":"s","hand":12,"finding":3,"outcome":"of_tomorrow"}',
    ),
    "floor T1 misdeal": ('{"session":"s","hand":12,"finding":3}',),
    "floor T1 pick": ('{"session":"s","hand":12,"finding":3}',),
    "floor T1 dismiss": ('{"session":"s","hand":12,"finding":3,"reason":"Misread"}',),
    "floor T1 clock": ('{"session":"s","hand":12,"seat":4}',),
    "floor T1 clock-cancel": ('{"session":"s","hand":12}',),
    "floor T1 coming": ('{"session":"s","hand":12}',),
    "floor T1 mute": ('{"session":"s","hand":12,"code":"burn-missing","hands":50}',),
    "people add": ("Bob: floor",),
    "people role": ("Bob: director", "Bob: of tomorrow"),
    "people pin": ("Bob",),
    "people tables": ("Bob: T1 T2", "Bob: all"),
    "people remove": ("Bob",),
    "people sign-out": ("Bob",),
    "people code": ("Bob",),
    "tables add": ('{"table":"7"}', '{"table":"final","replaces":"7"}'),
    "tables withdraw": ('{"table":"7"}',),
    "tables remove": ('{"table":"7"}',),
    "tables pair": ('{"table":"7"}',),
    "login": ("",),
    "join": ("",),
    "logout": ("",),
    "setup": ("",),
    "structure-file": ("",),
    "players-file": ("",),
    "events": ('{"id":"turbo","name":"Turbo"}',),
    "events close": ('{"id":"turbo"}',),
    **{f"clock {name}": CARRIED[name] for name in (*ACTS, *TELLS)},
    **{f"players {name}": CARRIED[name] for name in ASKED},
    **{f"race {name}": CARRIED[name] for name in RACE_ACTS},
}
"""What each kind is kept with. Whoever adds one adds it here."""
ACTS_AT: dict[str, list[str]] = {
    "/clock/{name}": [f"clock {name}" for name in (*ACTS, *TELLS)],
    "/race/{name}": [f"race {name}" for name in RACE_ACTS],
    "/players/{name}": [f"players {name}" for name in ASKED],
    "/alerts/{name}": [f"alerts {name}" for name in ALERT_ACTS],
    "/floor/{table}/{name}": [f"floor T1 {name}" for name in FLOOR_COMMANDS],
}


PAIRED = "tables pair"
"""Asked at a door of its own."""


def kinds() -> list[str]:
    """All that can be asked of a room, as it is kept."""
    nobody = Mock()
    routes = create_app(nobody, nobody, nobody, events=nobody).routes
    posts = [each for each in routes if isinstance(each, Route) and "POST" in (each.methods or ())]
    asked = [each.path for each in posts if not matches(each.path, NOBODYS)]
    found = (ACTS_AT.get(path, [path.strip("/").replace("/", " ")]) for path in asked)
    return sorted([*(kind for each in found for kind in each), PAIRED])


KINDS = kinds()


def said(what: str, about: str = "", language: str = "en", result: str = "ok") -> tuple[str, str]:
    line = audit_line(Done(7.0, "Ann", "director", "10.0.0.7", what, about, result), language)
    assert (line.at, line.address) == (7.0, "10.0.0.7")
    return line.text, line.refused


def test_every_kind_has_an_example() -> None:
    assert sorted(TOLD) == KINDS


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_a_sentence(kind: str, language: str) -> None:
    unknown = said("nothing of ours", language=language)[0]
    for about in TOLD[kind]:
        text, refused = said(kind, about, language)
        assert (text.startswith("Ann "), refused) == (True, ""), text
        assert RAW.search(text) is None, text
        assert text != unknown
        for reason in REFUSED:
            attempt, why = said(kind, about if kind.startswith("people") else "", language, reason)
            assert attempt.startswith("Ann ")
            assert attempt != text
            assert why
            for line in (attempt, why):
                assert RAW.search(line) is None, line
            assert (why == reason) == (reason == REFUSED[-1])
            assert unknown not in attempt
            assert sentences(language).tried["unknown"] not in attempt


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("about", ['{"structure":{"name":"Tu', '{"from_tomorrow":{"x":1}}', ""])
def test_what_was_kept_in_part_has_no_details(about: str, language: str) -> None:
    for kind in [each for each in KINDS if not each.startswith("people")]:
        text, _ = said(kind, about, language)
        assert RAW.search(text) is None
        assert text.startswith("Ann ")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "what",
    ["clock shuffle_up", "people clone", "floor T1 re_open", "a b c d", "tables_2", "", "unknown"],
)
def test_what_only_a_newer_version_knows_is_said_in_general(what: str, language: str) -> None:
    done, _ = said(what, '{"how":{"many_times":3}}', language)
    tried, why = said(what, '{"how":3}', language, '{"error":"no"}')
    assert done == sentences(language)("unknown", who="Ann")
    assert RAW.search(done + tried + why) is None
    assert tried.startswith("Ann ")


@pytest.mark.parametrize(
    ("what", "about", "text"),
    [
        ("clock structure", CARRIED["structure"][0], "Ann set the structure to Turbo (2 levels)"),
        ("clock pause", '{"revision":6,"reason":"fire alarm"}', "Ann paused the clock: fire alarm"),
        ("clock time", '{"revision":6,"by_ms":60000}', "Ann added 01:00 to the clock"),
        ("alerts take", TOLD["alerts take"][0], "Ann took an alert (table T1)"),
        (
            "alerts hand-over",
            TOLD["alerts hand-over"][0],
            "Ann handed an alert over to Bob (table T1)",
        ),
        (
            "alerts shelve",
            TOLD["alerts shelve"][0],
            "Ann put an alert aside (table T1, 10 min): Table is busy",
        ),
        ("alerts duty", TOLD["alerts duty"][0], "Ann signed on for duty"),
        ("alerts duty", TOLD["alerts duty"][3], "Ann took Bob off duty"),
        ("alerts duty", TOLD["alerts duty"][4], "Ann signed on for duty"),
        ("alerts section", TOLD["alerts section"][0], "Ann gave section North the tables T1, T2"),
        ("alerts section", TOLD["alerts section"][1], "Ann removed section North"),
        ("alerts shift", TOLD["alerts shift"][1], "Ann handed over the shift to Bob: T1 is slow"),
        ("alerts note", TOLD["alerts note"][1], "Ann left a note for Bob: T1 is slow"),
        (
            "floor T1 ruling",
            TOLD["floor T1 ruling"][0],
            "Ann made a ruling (table T1, misdeal): two cards",
        ),
        ("floor T1 ruling", TOLD["floor T1 ruling"][1], "Ann made a ruling (table T1)"),
        ("floor T1 ruling", '{"cut', "Ann made a ruling (table T1)"),
        (
            "floor T1 clock",
            TOLD["floor T1 clock"][0],
            "Ann put a player on the clock (table T1, seat 4)",
        ),
        ("players-file", "", "Ann imported players from a file"),
        ("players enter", '{"name":"Cleo"}', "Ann entered Cleo"),
        ("players draw", "{}", "Ann drew seats"),
        ("players bust", '{"entrant":"p4"}', "Ann marked a player out"),
        ("people add", "Bob: floor", "Ann added Bob as floor"),
        ("people tables", "Bob: T1 T2", "Ann gave Bob the tables T1, T2"),
        ("people tables", "Bob: all", "Ann gave Bob all tables"),
        ("events", TOLD["events"][0], "Ann created an event"),
        ("events close", TOLD["events close"][0], "Ann closed an event (turbo)"),
        (
            "event turbo clock pause",
            '{"reason":"fire alarm"}',
            "Ann paused the clock: fire alarm (event turbo)",
        ),
        ("event turbo players enter", '{"name":"Cleo"}', "Ann entered Cleo (event turbo)"),
        ("tables add", '{"table":"7"}', "Ann made a code for a table (table 7)"),
        ("tables remove", '{"table":"7"}', "Ann removed a table (table 7)"),
        ("event turbo players-file", "", "Ann imported players from a file (event turbo)"),
    ],
)
def test_it_says_what_matters(what: str, about: str, text: str) -> None:
    assert said(what, about) == (text, "")


def test_players_have_the_names_of_now_in_their_event() -> None:
    names = {"": {"p4": "Cleo", "p5": "Dan"}, "turbo": {"p4": "Eve", "p5": "Fay"}}

    def told(what: str, about: str) -> str:
        done = Done(7.0, "Ann", "director", "10.0.0.7", what, about, "ok")
        return audit_line(done, "en", names).text

    seat = '{"player":"p4","table":"T1","seat":4}'
    assert told("players sit", seat) == "Ann seated Cleo at table T1, seat 4"
    assert told("event turbo players sit", seat) == (
        "Ann seated Eve at table T1, seat 4 (event turbo)"
    )
    assert told("players bust", '{"entrant":"p4"}') == "Ann marked Cleo out"
    both = '{"outs":[{"entrant":"p4"},{"entrant":"p5"}]}'
    assert told("players busts", both) == "Ann marked out in one hand: Cleo, Dan"
    apart = '{"players":["p4","p5"]}'
    assert told("players apart", apart) == "Ann keeps these players at different tables: Cleo, Dan"
    assert told("event turbo players apart", apart) == (
        "Ann keeps these players at different tables: Eve, Fay (event turbo)"
    )


def test_who_is_in_no_list_any_more_has_no_id_instead_of_a_name() -> None:
    def told(what: str, about: str) -> str:
        done = Done(7.0, "Ann", "director", "10.0.0.7", what, about, "ok")
        return audit_line(done, "en", {"": {"p5": "Dan"}}).text

    assert told("players withdraw", '{"player":"p4"}') == "Ann withdrew a player"
    assert told("players apart", '{"players":["p4","p5"]}') == (
        sentences("en")("clock-apart", who="Ann")
    )
    assert told("players correct", '{"player":"p4","name":"Cleo"}') == (
        sentences("en")("clock-correct", who="Ann")
    )


@pytest.mark.parametrize(
    ("what", "about", "result", "line"),
    [
        (
            "clock pause",
            "",
            "needs director",
            ("Ann tried to pause the clock", "it needs the role director"),
        ),
        (
            "people remove",
            "Bob",
            "Bob is the only admin",
            ("Ann tried to remove a person (Bob)", "Bob is the only admin"),
        ),
        (
            "floor T1 coming",
            '{"hand":1}',
            "table T1 cannot be reached now",
            (
                "Ann tried to tell the table they were on the way (table T1)",
                "table T1 cannot be reached now",
            ),
        ),
        (
            "clock go",
            "",
            "'go': Object missing required field `index`",
            ("Ann tried to move the clock to another level", "it could not be done"),
        ),
    ],
)
def test_what_was_refused_is_not_said_to_be_done(
    what: str, about: str, result: str, line: tuple[str, str]
) -> None:
    assert said(what, about, result=result) == line


@pytest.mark.parametrize(
    ("language", "text", "refused"),
    [
        ("en", "A stranger tried to sign in (Bob)", "name and PIN do not match"),
        ("de", "Jemand Fremdes wollte sich anmelden (Bob)", "Name und PIN passen nicht zusammen"),
        ("es", "Alguien desconocido intentó entrar (Bob)", "el nombre y el PIN no coinciden"),
        ("fr", "Un inconnu a voulu se connecter (Bob)", "le nom et le PIN ne vont pas ensemble"),
    ],
)
def test_who_is_nobody_is_a_stranger(language: str, text: str, refused: str) -> None:
    line = audit_line(Done(7.0, "", "", "10.0.0.9", "login", "Bob", "wrong"), language)
    assert (line.text, line.refused, line.role) == (text, refused, "")


def test_the_role_is_in_the_words_of_the_language() -> None:
    done = Done(7.0, "Ann", "director", "10.0.0.7", "logout", "", "ok")
    assert audit_line(done, "de").role == "Turnierleitung"


def test_there_is_no_sentence_for_what_there_is_not() -> None:
    ours = {"unknown"} | {
        kind.replace(" T1 ", " ")
        .replace("players ", "clock ")
        .replace("race ", "clock ")
        .replace(" ", "-")
        for kind in KINDS
    }
    for language in LANGUAGES:
        say = sentences(language)
        assert set(say.tried) == ours
        assert ours <= set(say.did)
