from __future__ import annotations

from controller.contract.messages import Message
from controller.storage.outbox import MemoryOutbox


def event(number: int) -> Message:
    return Message("t/events", str(number).encode(), 1, False)


def state(text: str, topic: str = "t/state") -> Message:
    return Message(topic, text.encode(), 1, True)


def waiting(outbox: MemoryOutbox) -> list[bytes]:
    return [each.message.payload for each in outbox.after(0, 1000)]


def test_oldest_first_and_from_where_one_was() -> None:
    outbox = MemoryOutbox()
    for number in range(5):
        outbox.put(event(number), 0.0)
    first = outbox.after(0, 2)
    assert [each.message.payload for each in first] == [b"0", b"1"]
    assert [each.message.payload for each in outbox.after(first[-1].key, 2)] == [b"2", b"3"]
    outbox.done(first[0].key)
    outbox.done(first[0].key)
    assert waiting(outbox) == [b"1", b"2", b"3", b"4"]
    assert len(outbox) == 4
    assert outbox.after(5, 10) == []


def test_what_is_retained_is_overtaken_by_its_successor_only() -> None:
    outbox = MemoryOutbox()
    outbox.put(state("old"), 0.0)
    outbox.put(state("else", "t/other"), 0.0)
    outbox.put(event(1), 0.0)
    outbox.put(state("new"), 0.0)
    assert waiting(outbox) == [b"else", b"1", b"new"]
    assert outbox.holds("t/state")
    outbox.done(outbox.after(0, 10)[-1].key)
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
