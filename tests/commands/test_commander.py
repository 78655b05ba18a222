from __future__ import annotations

import itertools
from typing import Any

import pytest
from msgspec.structs import replace

from controller.contract.messages import COMMANDS, ROOM_ANSWER, Answer, Message
from controller.room.commander import (
    ANSWER_MS,
    KEEP_MS,
    MAX_ORDERS,
    Commander,
    Decision,
    Order,
    OrderError,
)

DECIDED: dict[str, Any] = {"actor": "Ann", "session": "s1", "hand": 12}


class Desk:
    """A commander whose messages, time and ids are in the test's hand."""

    def __init__(self) -> None:
        self.now_ms = 1_000_000
        self.sent: list[Message] = []
        self.changes = 0
        ids = (f"id{number}" for number in itertools.count(1))
        self.commander = Commander(
            "hall",
            "r1",
            publish=self.sent.append,
            now_ms=lambda: self.now_ms,
            new_id=lambda: next(ids),
            changed=self._changed,
        )

    def _changed(self) -> None:
        self.changes += 1

    def give(self, name: str, **fields: object) -> Order:
        return self.commander.give("T1", name, {**DECIDED, **fields}, role="floor")

    def answers(self, answer: Answer, correlation: bytes | None = None) -> None:
        self.commander.answered(answer, correlation or answer.id.encode())

    def status(self, id_: str = "id1") -> tuple[str, str]:
        order = self.commander.orders[id_]
        return order.status, order.words


@pytest.fixture
def desk() -> Desk:
    return Desk()


def test_a_command_goes_out_with_where_to_answer_and_expires(desk: Desk) -> None:
    order = desk.give("ruling", finding=17, outcome="redeal-flop")
    (sent,) = desk.sent
    assert sent.topic == "cutcard/1/hall/tables/T1/cmd/ruling"
    assert (sent.qos, sent.retain, sent.expiry_s) == (1, False, 30)
    assert sent.response_topic == ROOM_ANSWER.name("hall", "r1") == desk.commander.answers
    assert sent.correlation == b"id1"
    command = COMMANDS["ruling"].decode(sent.payload).value
    assert command == order.command
    assert (command.id, command.role, command.actor, command.hand) == ("id1", "floor", "Ann", 12)
    assert desk.status() == ("sent", "")
    assert desk.changes == 1


def test_the_table_confirms_or_refuses(desk: Desk) -> None:
    for _ in range(2):
        desk.give("coming")
    desk.answers(Answer("id1", ok=True))
    desk.answers(Answer("id2", ok=False, reason="hand", words="another hand"))
    assert desk.status("id1") == ("confirmed", "")
    assert desk.status("id2") == ("refused", "another hand")
    desk.answers(Answer("id1", ok=False, reason="hand"))
    assert desk.status("id1") == ("confirmed", "")


def test_a_command_that_the_table_had_before_was_accepted_before(desk: Desk) -> None:
    desk.give("coming")
    desk.answers(Answer("id1", ok=False, reason="repeated"))
    assert desk.status() == ("confirmed", "")


def test_only_who_got_the_command_can_answer_it(desk: Desk) -> None:
    desk.give("coming")
    desk.answers(Answer("id1", ok=True), b"id2")
    desk.commander.answered(Answer("id1", ok=True), None)
    desk.answers(Answer("other", ok=True))
    assert desk.status() == ("sent", "")


def test_no_answer_in_time_is_said_and_a_late_one_still_counts(desk: Desk) -> None:
    desk.give("coming")
    desk.now_ms += ANSWER_MS - 1
    desk.commander.tick()
    assert desk.status() == ("sent", "")
    desk.now_ms += 1
    desk.commander.tick()
    assert desk.status() == ("unanswered", "no answer from table T1")
    desk.answers(Answer("id1", ok=True))
    assert desk.status() == ("confirmed", "")


def test_what_is_settled_is_forgotten_after_a_while(desk: Desk) -> None:
    desk.give("coming")
    desk.answers(Answer("id1", ok=True))
    desk.now_ms += KEEP_MS - 1
    desk.commander.tick()
    assert "id1" in desk.commander.orders
    before = desk.changes
    desk.now_ms += 1
    desk.commander.tick()
    assert desk.commander.orders == {}
    assert desk.changes == before + 1


def test_who_comes_and_who_ruled_is_known_once_the_table_has_confirmed_it(desk: Desk) -> None:
    desk.give("coming")
    desk.give("ruling", finding=17, outcome="stands")
    assert (desk.commander.coming, desk.commander.ruled) == ({}, {})
    desk.answers(Answer("id1", ok=True))
    desk.answers(Answer("id2", ok=True))
    decision = Decision("Ann", "s1", 12)
    assert desk.commander.coming == {"T1": decision}
    assert desk.commander.ruled == {("T1", "17"): replace(decision, outcome="stands")}
    desk.commander.closed("T1", "16")
    assert desk.commander.ruled
    desk.commander.closed("T1", "17")
    assert desk.commander.ruled == {}


@pytest.mark.parametrize(
    ("name", "fields", "words"),
    [
        ("dismis", {}, "there is no command 'dismis'; did you mean 'dismiss'?"),
        ("dismiss", {"findin": 3}, "'dismiss' has no field 'findin'; did you mean 'finding'?"),
        ("dismiss", {}, "missing required field `finding`"),
        ("dismiss", {"finding": "3"}, "Expected `int`, got `str`"),
        ("level", {"small": 1, "big": 10**30}, "'level': big is more than 1,000,000,000,000"),
        ("coming", {"role": "director"}, "'coming' has no field 'role'"),
        ("coming", {"id": "mine"}, "'coming' has no field 'id'"),
        ("coming", {"actor": "a\nb"}, "`$.actor`"),
    ],
)
def test_what_cannot_be_a_command_is_not_sent(
    desk: Desk, name: str, fields: dict[str, Any], words: str
) -> None:
    with pytest.raises(OrderError) as caught:
        desk.give(name, **fields)
    assert words in str(caught.value)
    assert desk.sent == []


def test_a_table_that_cannot_be_a_name_is_refused(desk: Desk) -> None:
    with pytest.raises(OrderError, match="no table"):
        desk.commander.give("T1/cmd", "coming", DECIDED, role="floor")


def test_no_more_than_so_many_at_once(desk: Desk) -> None:
    for _ in range(MAX_ORDERS):
        desk.give("coming")
    with pytest.raises(OrderError, match="too many"):
        desk.give("coming")
    desk.now_ms += ANSWER_MS
    desk.commander.tick()
    desk.now_ms += KEEP_MS
    desk.commander.tick()
    desk.give("coming")
