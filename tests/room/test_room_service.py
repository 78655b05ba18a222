from __future__ import annotations

import asyncio

import msgspec
import pytest

from controller.events import Blinds, RulingText, Step
from controller.messages import (
    ROOM_CLOCK,
    ROOM_STATE,
    ROOM_TIME,
    TABLE_ALERT,
    TABLE_HAND,
    TABLE_STATE,
    Alert,
    Hand,
    Message,
    Presence,
    RoomClock,
    State,
)
from controller.mqtt import Incoming
from controller.room.service import RoomService
from controller.room.structure import Entry, Structure
from controller.room.tables import MAX_ALERTS_PER_TABLE, SETTLE_MS
from controller.view import FindingView, TableView

MINUTE = 60_000
SHORT = Structure(
    "short", (Entry(MINUTE, Blinds(1, 2)), Entry(MINUTE, None), Entry(MINUTE, Blinds(2, 4)))
)


class Hall:
    """A room with a hand on its time and on what its tables say."""

    def __init__(self) -> None:
        self.now_ms = 1_000_000
        self.sent: list[Message] = []
        self.room = RoomService(
            "hall",
            SHORT,
            session="s1",
            version="0",
            publish=self.sent.append,
            now_ms=lambda: self.now_ms,
        )

    def hears(self, message: Message) -> None:
        self.room.received(Incoming(message.topic, message.payload, message.retain))

    def state(self, table: str, state: Presence) -> None:
        self.hears(TABLE_STATE.message("hall", table, payload=State(state, "t", "0")))

    def alert(self, table: str, number: int, title: str = "Four-card flop", prio: int = 1) -> None:
        ruling = RulingText("uk-tda", "reshuffle", ("X",), (Step("a", "b"),))
        finding = FindingView(number, "code", title, prio, "seen", (), (), ruling, 1.0)  # type: ignore[arg-type]
        alert = Alert("t", 100 + number, finding)
        self.hears(TABLE_ALERT.message("hall", table, str(number), payload=alert))

    def closes(self, table: str, number: int) -> None:
        self.hears(TABLE_ALERT.deletion("hall", table, str(number)))

    def open(self) -> list[tuple[str, str, bool]]:
        return [(each.table, each.finding, each.stale) for each in self.room.view().alerts]

    def clocks(self) -> list[RoomClock]:
        topic = ROOM_CLOCK.name("hall")
        return [
            msgspec.json.decode(each.payload, type=RoomClock)
            for each in self.sent
            if each.topic == topic
        ]


@pytest.fixture
def hall() -> Hall:
    return Hall()


def test_it_says_that_it_is_there_and_what_its_clock_shows(hall: Hall) -> None:
    hall.room.start()
    assert hall.sent[0] == hall.room.state("ready")
    assert hall.sent[0].topic == ROOM_STATE.name("hall")
    assert hall.clocks()[0].remaining_ms == MINUTE


def test_the_time_is_said_every_second_and_the_clock_only_when_it_changes(hall: Hall) -> None:
    hall.room.start()
    hall.room.resume_clock()
    for _ in range(61):
        hall.room.tick()
        hall.now_ms += 1_000
    times = [each for each in hall.sent if each.topic == ROOM_TIME.name("hall")]
    assert len(times) == 61
    first, running, on_break = hall.clocks()
    assert (first.remaining_ms, first.deadline_ms) == (MINUTE, None)
    assert (running.remaining_ms, running.deadline_ms) == (None, 1_000_000 + MINUTE)
    assert on_break.on_break
    assert on_break.deadline_ms == 1_000_000 + 2 * MINUTE


def test_the_end_of_the_last_level_is_said_once(hall: Hall) -> None:
    hall.room.start()
    hall.room.resume_clock()
    hall.now_ms += 10 * MINUTE
    for _ in range(3):
        hall.room.tick()
        hall.now_ms += 1_000
    assert [each.ended for each in hall.clocks()] == [False, False, True]


def test_open_alerts_the_gravest_first_until_they_are_deleted(hall: Hall) -> None:
    hall.room.link(True)
    hall.state("T1", "ready")
    hall.state("T2", "ready")
    hall.alert("T1", 1, prio=2)
    hall.alert("T2", 9, prio=1)
    hall.alert("T1", 2, prio=2)
    assert hall.open() == [("T2", "9", False), ("T1", "1", False), ("T1", "2", False)]
    hall.closes("T2", 9)
    hall.closes("T2", 9)
    assert hall.open() == [("T1", "1", False), ("T1", "2", False)]
    assert hall.room.view().alerts[0].title == "Four-card flop"


def test_what_a_lost_table_said_is_stale(hall: Hall) -> None:
    hall.room.link(True)
    hall.state("T1", "ready")
    hall.alert("T1", 1)
    hall.state("T1", "lost")
    assert hall.open() == [("T1", "1", True)]
    hall.state("T1", "ready")
    assert hall.open() == [("T1", "1", False)]


def test_an_alert_closed_while_the_broker_was_away_goes(hall: Hall) -> None:
    hall.room.link(True)
    hall.state("T1", "ready")
    hall.state("T2", "ready")
    hall.alert("T1", 1)
    hall.alert("T1", 2)
    hall.alert("T2", 3)
    hall.room.link(False)
    assert not hall.room.view().heard
    assert {stale for *_, stale in hall.open()} == {True}
    hall.room.link(True)
    hall.alert("T1", 2)
    hall.state("T1", "ready")
    hall.now_ms += SETTLE_MS - 1
    hall.room.tick()
    assert len(hall.open()) == 3
    hall.now_ms += 1
    hall.room.tick()
    # Of the other table nothing is known yet, so its alert stays, and is shown as stale.
    assert hall.open() == [("T1", "2", False), ("T2", "3", True)]


def test_the_hand_of_a_table_is_kept(hall: Hall) -> None:
    hand = Hand("t", 4, 5, TableView("T1", "uk-tda", hand=12, phase="flop"))
    hall.hears(TABLE_HAND.message("hall", "T1", payload=hand))
    assert hall.room.view().tables[0].hand == hand


def test_a_table_whose_state_is_deleted_is_forgotten(hall: Hall) -> None:
    hall.state("T1", "ready")
    hall.hears(TABLE_STATE.deletion("hall", "T1"))
    assert hall.room.view().tables == ()


def test_what_cannot_be_used_is_counted_by_kind(hall: Hall) -> None:
    topic = TABLE_STATE.name("hall", "T1")
    for payload in (b"{", b'{"v":7}', b'{"v":1,"state":"ready","session":"s","version":"0","x":1}'):
        hall.room.received(Incoming(topic, payload, True))
    hall.room.received(Incoming("cutcard/1/hall/tables/T1/else", b"{}", True))
    ignored = hall.room.ignored
    assert (ignored.malformed, ignored.unknown_version) == (1, 1)
    assert (ignored.unknown_fields, ignored.unknown_topic) == (1, 1)


def test_a_table_gone_mad_cannot_fill_the_memory(hall: Hall) -> None:
    for number in range(MAX_ALERTS_PER_TABLE + 50):
        hall.alert("T1", number)
    assert len(hall.room.view().alerts) == MAX_ALERTS_PER_TABLE
    hall.closes("T1", 0)
    assert len(hall.room.view().alerts) == MAX_ALERTS_PER_TABLE - 1


def test_who_waits_is_woken_by_a_change_and_by_the_end() -> None:
    async def run() -> None:
        hall = Hall()
        waiting = asyncio.create_task(hall.room.changed())
        await asyncio.sleep(0)
        assert not waiting.done()
        hall.state("T1", "ready")
        await asyncio.wait_for(waiting, 1)
        waiting = asyncio.create_task(hall.room.changed())
        await asyncio.sleep(0)
        hall.room.close()
        await asyncio.wait_for(waiting, 1)
        await asyncio.wait_for(hall.room.changed(), 1)

    asyncio.run(run())


def test_a_level_ends_on_its_deadline_not_on_the_next_second() -> None:
    async def run() -> None:
        hall = Hall()
        hall.now_ms = 1_000_300 - MINUTE
        hall.room.resume_clock()
        loop = asyncio.get_running_loop()
        began = loop.time() - 0.25
        hall.room._now_ms = lambda: 1_000_000 + int((loop.time() - began) * 1_000)
        running = asyncio.create_task(hall.room.run())
        while not hall.room.view().clock.on_break or len(hall.clocks()) < 2:  # noqa: ASYNC110
            await asyncio.sleep(0.001)
        assert hall.room._now_ms() - 1_000_300 < 200
        hall.room.close()
        running.cancel()

    asyncio.run(run())
