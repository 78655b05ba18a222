from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.contract.events import Phase
from controller.contract.messages import (
    MAX_PAYLOAD,
    ROOM_CLOCK,
    ROOM_STATE,
    ROOM_TIME,
    TABLE_ALERT,
    TABLE_COMMAND,
    TABLE_EVENT,
    TABLE_HAND,
    TABLE_STATE,
    Command,
    Hand,
    MessageError,
    RoomTime,
    State,
    TableEvent,
    UnknownVersionError,
)
from controller.contract.view import TableView


def test_the_topics_are_those_of_the_contract() -> None:
    assert TABLE_STATE.name("hall", "T1") == "cutcard/1/hall/tables/T1/$state"
    assert TABLE_HAND.name("hall", "T1") == "cutcard/1/hall/tables/T1/hand"
    assert TABLE_ALERT.name("hall", "T1", "17") == "cutcard/1/hall/tables/T1/alerts/17"
    assert TABLE_EVENT.name("hall", "T1") == "cutcard/1/hall/tables/T1/events"
    assert TABLE_COMMAND.name("hall", "T1", "ruling") == "cutcard/1/hall/tables/T1/cmd/ruling"
    assert ROOM_STATE.name("hall") == "cutcard/1/hall/room/$state"
    assert ROOM_CLOCK.name("hall") == "cutcard/1/hall/room/clock"
    assert TABLE_ALERT.filter("hall") == "cutcard/1/hall/tables/+/alerts/+"


def test_how_each_is_sent() -> None:
    event = TABLE_EVENT.message(
        "hall", "T1", payload=TableEvent("s", 1, 5, Phase(t=1.0, hand=1, phase="deal"))
    )
    assert (event.qos, event.retain, event.expiry_s) == (1, False, None)
    hand = TABLE_HAND.message(
        "hall", "T1", payload=Hand("s", 1, 5, TableView(table="T1", rulebook="uk-tda"))
    )
    assert (hand.qos, hand.retain) == (1, True)
    command = TABLE_COMMAND.message("hall", "T1", "x", payload=Command("1", "a", "floor", "s"))
    assert (command.qos, command.retain, command.expiry_s) == (1, False, 30)
    time = ROOM_TIME.message("hall", payload=RoomTime("s", 5))
    assert (time.qos, time.retain) == (0, False)
    gone = TABLE_ALERT.deletion("hall", "T1", "17")
    assert (gone.payload, gone.retain, gone.qos) == (b"", True, 1)


def test_an_event_carries_the_fields_of_the_contract() -> None:
    event = TableEvent("s9", 3, 1_700, Phase(t=1.0, hand=1, phase="flop"))
    sent = json.loads(TABLE_EVENT.message("hall", "T1", payload=event).payload)
    assert sent == {
        "v": 1,
        "session": "s9",
        "seq": 3,
        "at": 1_700,
        "event": {"kind": "phase", "t": 1.0, "hand": 1, "phase": "flop"},
    }
    assert TABLE_EVENT.decode(json.dumps(sent).encode()).value == event


@pytest.mark.parametrize("name", ["", "a/b", "+", "#", "$SYS", "T 1", "x" * 65, "é", "T1\n"])
def test_a_name_that_could_reach_other_topics_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="is not a name"):
        TABLE_STATE.name("hall", name)
    with pytest.raises(ValueError, match="is not a name"):
        TABLE_STATE.name(name, "T1")
    assert TABLE_STATE.names("hall", f"cutcard/1/hall/tables/{name}/$state") is None


def test_a_topic_gives_its_names_back() -> None:
    topic = TABLE_ALERT.name("hall", "T1", "17")
    assert TABLE_ALERT.names("hall", topic) == ("T1", "17")
    assert TABLE_STATE.names("hall", topic) is None
    assert TABLE_ALERT.names("other", topic) is None


def test_unknown_fields_are_ignored_and_counted() -> None:
    sent = b'{"v":1,"state":"ready","session":"s","version":"0","mood":"good","x":[1]}'
    decoded = TABLE_STATE.decode(sent)
    assert decoded.value == State("ready", "s", "0")
    assert decoded.unknown_fields == 2


SOUND = b'{"v":1,"state":"ready","session":"s","version":"0"}'


def test_another_version_is_told_from_rubbish() -> None:
    with pytest.raises(UnknownVersionError):
        TABLE_STATE.decode(b'{"v":2,"anything":"else"}')
    for rubbish in (
        b"",
        b"\xff\xfe",
        b"[]",
        b'{"v":1}',
        b'{"v":1,"state":"asleep","session":"s","version":"0"}',
        b'{"v":1,"x":' + b"[" * 100_000,
        SOUND[:-1] + b',"x":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        SOUND[:-1] + b',"pad":"' + b"x" * MAX_PAYLOAD + b'"}',
    ):
        with pytest.raises(MessageError) as caught:
            TABLE_STATE.decode(rubbish)
        assert not isinstance(caught.value, UnknownVersionError)
        assert "asleep" not in str(caught.value)


@given(st.binary(max_size=300))
def test_no_payload_does_more_than_raise_a_message_error(payload: bytes) -> None:
    with pytest.raises(MessageError):
        TABLE_EVENT.decode(payload)
