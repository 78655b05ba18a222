"""What people do with alerts over HTTP, with tables that judge and a broker that has rights."""

from __future__ import annotations

import asyncio
import http.client
import json
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from typing import Any

import httpx
import msgspec
import pytest
from msgspec.structs import replace

from controller.broker.client import Endpoint, Incoming, MqttClient
from controller.broker.own import RunningBroker, find_mosquitto, start_broker
from controller.contract.events import Blinds
from controller.contract.messages import (
    COMMANDS,
    TABLE_ALERT,
    TABLE_COMMAND,
    TABLE_EVENT,
    Answer,
    Message,
    TableEvent,
)
from controller.room.structure import Entry, Structure
from controller.table.commands import Refused
from display.web.serving.access.who import COOKIE
from display.web.serving.body import MAX_ACT
from tests import waiting
from tests.commands.fake_table import SITE
from tests.room.test_hand_timeline import start
from tests.waiting import PATIENCE_S
from tests.web.hall import Hall

EVENING = Structure("evening", (Entry(1_200_000, Blinds(100, 200)),))
TABLES = ("T1", "T2")
RULING = "floor/T1/ruling"

pytestmark = pytest.mark.skipif(find_mosquitto() is None, reason="mosquitto not installed")


@pytest.fixture
def broker() -> Iterator[RunningBroker]:
    with start_broker(SITE, TABLES, kind="mosquitto") as running:
        yield running


@pytest.fixture
def hall(broker: RunningBroker) -> Iterator[Hall]:
    hall = Hall(broker, EVENING, TABLES)
    hall.start()
    yield hall
    hall.stop()


@pytest.fixture
def ann(hall: Hall) -> Iterator[httpx.Client]:
    with hall.client() as client:
        hall.sign_in(client)
        yield client


def ask(client: httpx.Client, path: str, body: object = None, **headers: str) -> tuple[int, Any]:
    """Status and answer."""
    if body is None:
        answer = client.get(path)
    else:
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        answer = client.post(path, content=data, headers=headers)
    return answer.status_code, answer.json()


def take(client: httpx.Client, **more: object) -> tuple[int, Any]:
    return ask(client, "alerts/take", {"key": "T1/1", **more})


def ruling(**more: object) -> dict[str, object]:
    return {"session": "s-T1", "hand": 12, "finding": 1, "outcome": "stands"} | more


@contextmanager
def people(hall: Hall, count: int) -> Iterator[dict[str, httpx.Client]]:
    """So many of the floor, by name."""
    with ExitStack() as stack:
        names = [f"Person {number}" for number in range(count)]
        yield {name: stack.enter_context(hall.client("floor", name)) for name in names}


def shown(hall: Hall) -> dict[str, Any]:
    return {each.key: each for each in hall.room.view().shift.alerts}


def raised(hall: Hall) -> None:
    hall.alert("T1", 1, "Four-card flop")
    hall.until(lambda: "T1/1" in shown(hall))


class Stream:
    """The floor's stream, read in a thread: the pictures as they came."""

    def __init__(self, hall: Hall) -> None:
        self.got: list[bytes] = []
        host, port = hall.url.split("/")[2].split(":")
        self._connection = http.client.HTTPConnection(host, int(port), timeout=PATIENCE_S)
        cookie = {"Cookie": f"{COOKIE}={hall.cookie('viewer', 'Vera')}"}
        self._connection.request("GET", "/floor/events", headers=cookie)
        self._answer = self._connection.getresponse()
        self._thread = threading.Thread(target=self._read)
        self._thread.start()

    def _read(self) -> None:
        for line in self._answer:
            if line.startswith(b"data: "):
                self.got.append(line[6:])

    def end(self) -> None:
        self._thread.join(PATIENCE_S)
        self._answer.close()
        self._connection.close()


def test_only_our_own_pages_can_and_only_sound_things(hall: Hall, ann: httpx.Client) -> None:
    raised(hall)
    good = json.dumps({"actor": "Bob", "key": "T1/1"}).encode()
    assert ask(ann, "alerts/take", good, Origin="http://elsewhere")[0] == 403
    assert ask(ann, "alerts/take", good, **{"X-Requested-With": "XMLHttpRequest"})[0] == 403
    assert ask(ann, "alerts/take", b"[1]")[0] == 400
    assert ask(ann, "alerts/take", b"[" * 9_000)[0] == 400
    assert ask(ann, "alerts/take", b" " * (MAX_ACT + 1))[0] == 413
    assert ask(ann, "alerts/tkae", good)[1]["error"].endswith("did you mean 'take'?")
    for role, status in ((None, 401), ("viewer", 403)):
        with hall.client(role, "Vera") as other:  # type: ignore[arg-type]
            assert ask(other, "alerts/take", good)[0] == status
    assert shown(hall)["T1/1"].owner == ""
    assert ask(ann, "alerts/take", good) == (200, {"accepted": True})
    assert shown(hall)["T1/1"].owner == "Ann"  # whatever name was sent


def test_of_two_at_once_the_first_has_it_and_the_other_is_told(
    hall: Hall, ann: httpx.Client
) -> None:
    raised(hall)
    with people(hall, 8) as there, ThreadPoolExecutor(8) as at_once:
        said = list(at_once.map(take, there.values()))
    (winner,) = [who for who, (status, _) in zip(there, said, strict=True) if status == 200]
    losers = [answer for status, answer in said if status == 409]
    assert losers == [{"error": f"{winner} has it"}] * 7
    assert shown(hall)["T1/1"].owner == winner
    assert take(ann, over=True)[0] == 200
    assert shown(hall)["T1/1"].owner == "Ann"


def test_of_two_rulings_at_once_one_reaches_the_table(hall: Hall, ann: httpx.Client) -> None:
    raised(hall)
    with people(hall, 6) as there, ThreadPoolExecutor(6) as at_once:
        said = list(at_once.map(lambda one: ask(one, RULING, ruling()), there.values()))
    (winner,) = [who for who, (status, _) in zip(there, said, strict=True) if status == 202]
    hall.until(lambda: shown(hall)["T1/1"].made is not None)
    assert shown(hall)["T1/1"].made.by == winner
    assert len(hall.tables["T1"].taken) == 1
    for status, answer in said:
        assert status == 202 or answer["error"].startswith(winner)
    status, answer = ask(ann, RULING, ruling(outcome="dead-hand"))
    assert (status, answer["error"]) == (
        409,
        f"{winner} has already ruled: stands; you may amend it",
    )
    assert ask(ann, RULING, ruling(outcome="dead-hand", amend=True))[0] == 202
    hall.until(lambda: shown(hall)["T1/1"].made.by == "Ann")


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"session": "s-old"}, "the table has restarted since this was decided"),
        ({"hand": 11}, "decided for hand 11, but the table is at hand 12"),
        ({"finding": 7}, "finding 7 is not open"),
        ({"outcome": "misdael"}, "there is no outcome 'misdael'; did you mean 'misdeal'?"),
    ],
)
def test_what_is_out_of_date_is_refused_by_the_table_with_its_reason(
    hall: Hall, ann: httpx.Client, changed: dict[str, object], words: str
) -> None:
    raised(hall)
    status, answer = ask(ann, RULING, ruling(**changed))
    assert status == 202
    hall.until(lambda: hall.room.view().orders[0].status == "refused")
    (order,) = hall.room.view().orders
    assert (order.command.id, order.words) == (answer["id"], words)
    if "finding" not in changed:
        assert shown(hall)["T1/1"].refused == words
    assert hall.tables["T1"].taken == []
    lines = ask(ann, "floor/since/0")[1]["happened"]
    assert (lines[-1]["what"], lines[-1]["words"]) == ("refused", words)


def run(endpoint: Endpoint, *messages: Message, until: Callable[[], object]) -> list[Incoming]:
    """Somebody else at the broker, with these credentials, publishes until that is so; returns
    what came in."""
    got: list[Incoming] = []

    async def act() -> None:
        client = MqttClient(endpoint, "somebody", report=lambda _line: None)
        client.subscribe("#")
        client.start(got.append)
        for each in messages:
            client.publish(each)
        await waiting.until(lambda: client.connected and len(client.outbox) == 0 and until())
        await client.close()

    asyncio.run(act())
    return got


def test_a_command_again_or_kept_by_the_broker_is_refused(
    hall: Hall, ann: httpx.Client, broker: RunningBroker
) -> None:
    raised(hall)
    ask(ann, RULING, ruling())
    table = hall.tables["T1"]
    hall.until(lambda: len(table.verdicts) == 1)
    order = hall.room.view().orders[0]
    again = COMMANDS["ruling"].message(SITE, "T1", payload=order.command)
    run(broker.room, again, until=lambda: len(table.verdicts) == 2)
    assert isinstance(table.verdicts[1], Refused)
    assert table.verdicts[1].reason == "repeated"
    assert len(table.taken) == 1
    hall.until(lambda: hall.room.view().orders[0].status == "confirmed")


def test_nobody_speaks_for_another_table(
    hall: Hall, ann: httpx.Client, broker: RunningBroker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("controller.room.commander.ANSWER_MS", PATIENCE_S * 1_000)
    raised(hall)
    hall.tables["T1"].silent = True
    ask(ann, RULING, ruling())
    order = hall.room.view().orders[0]
    alert = hall.tables["T1"].alerts[1]
    fake = replace(alert, finding=replace(alert.finding, id=9))
    answers = hall.room._commander.answers
    lie = msgspec.json.encode(Answer("guessed", ok=True))
    wrong = msgspec.json.encode(Answer(order.command.id, ok=True))
    seen = run(
        broker.tables["T2"],
        TABLE_ALERT.message(SITE, "T1", "9", payload=fake),
        TABLE_ALERT.deletion(SITE, "T1", "1"),
        COMMANDS["ruling"].message(SITE, "T1", payload=order.command),
        Message(answers, lie, 1, False, correlation=b"guessed"),
        Message(answers, wrong, 1, False, correlation=b"guessed"),
        TABLE_ALERT.message(SITE, "T2", "3", payload=replace(fake)),
        until=lambda: "T2/3" in shown(hall),
    )
    assert set(shown(hall)) == {"T1/1", "T2/3"}
    assert hall.room.view().orders[0].status == "sent"
    assert not [each for each in seen if TABLE_COMMAND.names(SITE, each.topic)]


def test_what_a_page_missed_and_the_hand_in_words(hall: Hall, ann: httpx.Client) -> None:
    raised(hall)
    assert ask(ann, "floor/timeline/T1/1")[0] == 404
    event = TABLE_EVENT.message(SITE, "T1", payload=TableEvent("s-T1", 1, 5, start(12)))
    hall.do(lambda: hall.tables["T1"].says(event))
    hall.until(lambda: "T1" in hall.room.view().shift.heard)
    status, told = ask(ann, "floor/timeline/T1/1")
    assert (status, told["hand"], told["missing"]) == (200, 12, False)
    assert any("5,000" in line for line in told["lines"])
    then = ask(ann, "floor/since/0")[1]["now_ms"]
    take(ann)
    said = ask(ann, f"floor/since/{then}")[1]
    assert [said["happened"][0][name] for name in ("act", "actor")] == ["take", "Ann"]
    assert not said["more"]


def test_a_decision_names_its_rules_in_our_words(hall: Hall) -> None:
    raised(hall)
    stream = Stream(hall)
    hall.until(lambda: stream.got)
    (alert,) = json.loads(stream.got[0])["alerts"]
    rules = {each["id"]: each["text"] for each in alert["says"]["rules"]}
    assert set(rules) == {"RR7-HE-4", "HPT-PREC-01"}
    assert "rules of poker" in rules["HPT-PREC-01"].lower()
    hall.stop()
    stream.end()


def test_an_alert_is_on_every_page_with_a_hundred_others_there(hall: Hall) -> None:
    for number in range(1, 51):
        for table in TABLES:
            hall.alert(table, number, "Burned too soon", priority=2)
    hall.until(lambda: len(shown(hall)) == 100)
    streams = [Stream(hall) for _ in range(10)]
    hall.until(lambda: all(each.got for each in streams))
    hall.alert("T1", 51, "Four-card flop")
    hall.until(lambda: all(b'"key":"T1/51"' in each.got[-1] for each in streams))
    hall.stop()
    for each in streams:
        each.end()
