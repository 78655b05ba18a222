from __future__ import annotations

from controller.contract.messages import Message
from controller.storage.outbox import MemoryOutbox, Pending


def event(number: int) -> Message:
    return Message("t/events", str(number).encode(), 1, False)


def state(text: str, topic: str = "t/state") -> Message:
    return Message(topic, text.encode(), 1, True)


def alert(number: int, text: str = "") -> Message:
    topic = f"cutcard/1/hall/tables/T1/alerts/{number}"
    return Message(topic, (text or f"alert {number}").encode(), 1, True)


def payloads(pending: list[Pending]) -> list[bytes]:
    return [each.message.payload for each in pending]


def waiting(outbox: MemoryOutbox) -> list[bytes]:
    """All that waits, in the order of sending; it is as if nothing was taken then."""
    outbox.rewind()
    found = payloads(outbox.take(1000))
    outbox.rewind()
    return found


def test_oldest_first_and_each_once_until_it_begins_again() -> None:
    outbox = MemoryOutbox()
    for number in range(5):
        outbox.put(event(number), 0.0)
    first = outbox.take(2)
    assert payloads(first) == [b"0", b"1"]
    assert payloads(outbox.take(2)) == [b"2", b"3"]
    outbox.done(first[0].key)
    outbox.done(first[0].key)
    assert payloads(outbox.take(9)) == [b"4"]
    assert outbox.take(9) == []
    assert len(outbox) == 4
    outbox.rewind()
    assert payloads(outbox.take(9)) == [b"1", b"2", b"3", b"4"]


def test_who_is_there_and_alerts_overtake_what_waits() -> None:
    outbox = MemoryOutbox()
    for number in range(6):
        outbox.put(event(number), 0.0)
    assert payloads(outbox.take(2)) == [b"0", b"1"]
    outbox.put(alert(1), 0.0)
    outbox.put(state("hand", "cutcard/1/hall/tables/T1/hand"), 0.0)
    outbox.put(state("ready", "cutcard/1/hall/tables/T1/$state"), 0.0)
    assert payloads(outbox.take(2)) == [b"alert 1", b"ready"]
    outbox.put(alert(2), 0.0)
    assert payloads(outbox.take(3)) == [b"alert 2", b"2", b"3"]
    assert payloads(outbox.take(9)) == [b"4", b"5", b"hand"]
    # After a loss of the connection too, and each topic in its own order.
    outbox.put(alert(1, "ruled"), 0.0)
    assert waiting(outbox) == [
        b"ready", b"alert 2", b"ruled", b"0", b"1", b"2", b"3", b"4", b"5", b"hand",
    ]  # fmt: skip


def test_as_many_alerts_as_are_asked_for_keep_back_no_event_for_good() -> None:
    outbox = MemoryOutbox()
    outbox.put(event(0), 0.0)
    for number in range(3):
        outbox.put(alert(number), 0.0)
    taken = outbox.take(3)
    assert payloads(taken) == [b"alert 0", b"alert 1", b"alert 2"]
    assert payloads(outbox.take(3)) == [b"0"]


def test_an_alert_is_not_given_up_while_there_is_something_else() -> None:
    outbox = MemoryOutbox(limit=3)
    outbox.put(alert(1), 0.0)
    for number in range(4):
        outbox.put(event(number), 0.0)
    assert waiting(outbox) == [b"alert 1", b"2", b"3"]
    assert outbox.dropped == 2
    for number in (2, 3, 4):
        outbox.put(alert(number), 0.0)
    assert waiting(outbox) == [b"alert 2", b"alert 3", b"alert 4"]


def test_what_is_retained_is_overtaken_by_its_successor_only() -> None:
    outbox = MemoryOutbox()
    outbox.put(state("old"), 0.0)
    outbox.put(state("else", "t/other"), 0.0)
    outbox.put(event(1), 0.0)
    outbox.put(state("new"), 0.0)
    assert waiting(outbox) == [b"else", b"1", b"new"]
    assert outbox.holds("t/state")
    outbox.done(outbox.take(10)[-1].key)
    assert not outbox.holds("t/state")
    assert not outbox.holds("t/events")


def test_it_is_bounded_and_gives_up_the_oldest() -> None:
    outbox = MemoryOutbox(limit=3)
    outbox.put(state("first"), 0.0)
    for number in range(4):
        outbox.put(event(number), 0.0)
    assert waiting(outbox) == [b"1", b"2", b"3"]
    assert outbox.dropped == 2
    assert not outbox.holds("t/state")
