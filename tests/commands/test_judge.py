from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.contract.messages import COMMANDS, FLOOR_COMMANDS, MAX_COMMAND, ROOM_ANSWER
from controller.contract.observations import (
    ClockCancel,
    Close,
    Coming,
    FloorClock,
    FloorDismiss,
    FloorMisdeal,
    FloorRuling,
    Level,
    Mute,
    Observation,
    Open,
    Pick,
    SeatChange,
    decode,
    encode,
)
from controller.table.commands import Accepted, Refused, answer, judge

BASE: dict[str, Any] = {
    "v": 1,
    "id": "c1",
    "actor": "Ann",
    "role": "floor",
    "session": "s1",
    "hand": 12,
}
FLOOR: dict[str, Any] = {"kind": "floor", "t": 7.5, "by": "Ann"}


def ask(name: str, **fields: object) -> Accepted | Refused:
    """Judges a command; a field that is `...` is left out."""
    retained, payload = bool(fields.pop("retained", False)), fields.pop("payload", None)
    given = {key: value for key, value in {**BASE, **fields}.items() if value is not ...}
    return judge(
        name,
        payload if isinstance(payload, bytes) else json.dumps(given).encode(),
        retained=retained,
        session="s1",
        hand=12,
        open_findings={17},
        ruled_findings={15},
        had={"old"}.__contains__,
        t=7.5,
    )


BECOMES: list[tuple[str, dict[str, Any], tuple[Observation, ...]]] = [
    (
        "ruling",
        {"finding": 17, "outcome": "redeal-flop", "reason": "seen by me"},
        (FloorRuling(**FLOOR, finding=17, outcome="redeal-flop", reason="seen by me"),),
    ),
    (
        "ruling",
        {"finding": 15, "outcome": "stands"},
        (FloorRuling(**FLOOR, finding=15, outcome="stands"),),
    ),
    ("misdeal", {}, (FloorMisdeal(**FLOOR),)),
    ("misdeal", {"finding": 17}, (FloorMisdeal(**FLOOR),)),
    ("pick", {}, (Pick(**FLOOR),)),
    ("dismiss", {"finding": 17}, (FloorDismiss(**FLOOR, finding=17),)),
    ("clock", {"seat": 3}, (FloorClock(**FLOOR, seat=3),)),
    ("clock-cancel", {}, (ClockCancel(**FLOOR),)),
    ("coming", {"role": "director"}, (Coming(**FLOOR),)),
    (
        "mute",
        {"code": "burn-missing", "hands": 50, "zone": "burn"},
        (Mute(**FLOOR, code="burn-missing", hands=50, zone="burn"),),
    ),
    (
        "seats",
        {
            "hand": ...,
            "seats": [
                {"seat": 2, "status": "empty"},
                {"seat": 5, "status": "seated", "stack": 900, "player": "Bo"},
            ],
        },
        (
            SeatChange(t=7.5, seat=2, status="empty"),
            SeatChange(t=7.5, seat=5, status="seated", stack=900, player="Bo"),
        ),
    ),
    (
        "level",
        {"hand": ..., "small": 50, "big": 100, "ante": 100},
        (Level(t=7.5, small=50, big=100, ante=100),),
    ),
    ("pause", {"hand": ...}, (Close(t=7.5),)),
    ("pause", {"hand": ..., "paused": False}, (Open(t=7.5),)),
]


@pytest.mark.parametrize(("name", "fields", "wanted"), BECOMES)
def test_what_a_command_becomes(
    name: str, fields: dict[str, Any], wanted: tuple[Observation, ...]
) -> None:
    verdict = ask(name, **fields)
    assert verdict == Accepted("c1", "Ann", wanted)
    assert isinstance(verdict, Accepted)
    assert tuple(decode(encode(each)) for each in verdict.observations) == wanted


def test_every_command_is_tried_above() -> None:
    assert {name for name, *_ in BECOMES} == set(COMMANDS)


def test_the_button_goes_along_and_unknown_fields_are_counted() -> None:
    verdict = ask("seats", seats=[{"seat": 2, "status": "empty"}], button=4, mood="good")
    assert isinstance(verdict, Accepted)
    assert (verdict.button, verdict.unknown_fields) == (4, 1)


RULING = {"finding": 17, "outcome": "redeal-flop"}
REFUSED: list[tuple[str, str, dict[str, Any]]] = [
    ("retained", "coming", {"retained": True}),
    ("oversize", "coming", {"reason": "x" * MAX_COMMAND}),
    ("unknown-command", "rulling", RULING),
    ("unknown-version", "coming", {"v": 2}),
    ("malformed", "coming", {"payload": b"{"}),
    ("malformed", "coming", {"payload": b""}),
    ("malformed", "coming", {"payload": b"\xff"}),
    ("malformed", "coming", {"payload": b'{"v":1,"id":' + b"[" * 9_000}),
    ("malformed", "coming", {"actor": ...}),
    ("malformed", "coming", {"actor": ""}),
    ("malformed", "coming", {"actor": "Ann\n"}),
    ("malformed", "coming", {"actor": "A" * 81}),
    ("malformed", "coming", {"id": "a b"}),
    ("malformed", "coming", {"id": "c1\n"}),
    ("malformed", "coming", {"reason": "x" * 201}),
    ("malformed", "ruling", {"outcome": "stands"}),
    ("malformed", "dismiss", {}),
    ("malformed", "clock", {"seat": 11}),
    ("malformed", "mute", {"code": "burn-missing", "hands": 0}),
    ("malformed", "mute", {"code": "burn-missing", "hands": 1_001}),
    ("malformed", "seats", {"seats": []}),
    ("malformed", "seats", {"seats": [{"seat": 1, "status": "asleep"}]}),
    ("malformed", "level", {"small": -1, "big": 2}),
    ("malformed", "seats", {"seats": [{"seat": 1, "status": "seated", "stack": 10**30}]}),
    ("malformed", "level", {"small": 1, "big": 10**12 + 1}),
    ("role", "coming", {"role": "dealer"}),
    ("repeated", "coming", {"id": "old"}),
    ("session", "coming", {"session": "s0"}),
    ("no-hand", "coming", {"hand": ...}),
    ("hand", "coming", {"hand": 11}),
    ("hand", "level", {"hand": 13, "small": 1, "big": 2}),
    ("finding", "ruling", RULING | {"finding": 16}),
    ("finding", "dismiss", {"finding": 16}),
    ("finding", "dismiss", {"finding": 15}),
    ("finding", "coming", {"finding": 16}),
    ("outcome", "ruling", RULING | {"outcome": "redeal-flopp"}),
    ("seats", "seats", {"seats": [{"seat": 1, "status": "empty"}] * 2}),
    ("level", "level", {"small": 4, "big": 2}),
]


@pytest.mark.parametrize(("reason", "name", "fields"), REFUSED)
def test_what_is_refused_and_why(reason: str, name: str, fields: dict[str, Any]) -> None:
    verdict = ask(name, **fields)
    assert isinstance(verdict, Refused)
    assert verdict.reason == reason
    assert 10 < len(verdict.words) < 120


def test_an_amount_that_is_too_great_is_told_in_words() -> None:
    seats = [{"seat": 1, "status": "empty"}, {"seat": 2, "status": "seated", "stack": 10**30}]
    words = refused("seats", seats=seats).words
    assert words == "seats[1].stack is more than 1,000,000,000,000"
    words = refused("level", small=1, big=2, ante=10**12 + 1).words
    assert words == "ante is more than 1,000,000,000,000"
    assert isinstance(ask("level", small=1, big=10**12), Accepted)


def refused(name: str, **fields: object) -> Refused:
    verdict = ask(name, **fields)
    assert isinstance(verdict, Refused)
    return verdict


def test_the_words_name_what_is_near_and_what_is_so() -> None:
    assert refused("rulling").words == "there is no command 'rulling'; did you mean 'ruling'?"
    outcome = refused("ruling", finding=17, outcome="redealflop").words
    assert outcome.endswith("did you mean 'redeal-flop'?")
    assert refused("coming", hand=11).words == "decided for hand 11, but the table is at hand 12"
    assert refused("dismiss", finding=4).words == "finding 4 is not open"


def test_every_floor_command_needs_its_hand() -> None:
    fields: dict[str, object] = {"finding": 17, "outcome": "stands", "seat": 1}
    fields |= {"code": "x", "hands": 1}
    for name in FLOOR_COMMANDS:
        assert refused(name, **fields | {"hand": ...}).reason == "no-hand", name
        assert refused(name, **fields | {"hand": 11}).reason == "hand", name
        assert isinstance(ask(name, **fields), Accepted), name


@given(st.sampled_from([*COMMANDS, "", "é"]), st.binary(max_size=200))
def test_no_bytes_do_more_than_be_refused(name: str, payload: bytes) -> None:
    assert isinstance(ask(name, payload=payload), Refused)


def test_an_answer_goes_where_a_room_waits_for_it_and_nowhere_else() -> None:
    topic = ROOM_ANSWER.name("hall", "r1")
    accepted, no_hand = ask("coming"), refused("coming", hand=3)
    said = answer(accepted, "hall", response_topic=topic, correlation=b"k")
    assert said is not None
    assert (said.topic, said.correlation, said.retain, said.qos) == (topic, b"k", False, 1)
    assert ROOM_ANSWER.decode(said.payload).value.ok
    said = answer(no_hand, "hall", response_topic=topic, correlation=None)
    assert said is not None
    no = ROOM_ANSWER.decode(said.payload).value
    assert (no.id, no.ok, no.reason, no.words) == ("c1", False, "hand", no_hand.words)
    for elsewhere in (None, "", "room/answers/r1", "cutcard/1/hall/room/clock", topic + "/x"):
        assert answer(accepted, "hall", response_topic=elsewhere, correlation=b"k") is None


def test_a_refusal_has_the_id_even_of_what_is_malformed() -> None:
    assert refused("coming", actor=...).id == "c1"
    assert refused("coming", payload=b"[").id == ""
