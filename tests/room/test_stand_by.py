"""A room and the one that stands by for it, with a broker that may lose what they say."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from controller.broker.client import Incoming
from controller.contract.messages import ROOM_STATE, ROOM_TIME, Message, RoomTime, State
from controller.contract.stand_by import STAND_BY_PART, STAND_BY_TAKEN, Run, Taken
from controller.room.event_stores import EventStores
from controller.room.room_files import PEOPLE, ROOM, RoomFiles
from controller.room.room_time import Beat
from controller.room.store import RoomStore
from controller.stand_by.following import LISTEN_S, LOST_S, SILENT_S, Following
from controller.stand_by.leading import THERE_S, Leading
from controller.storage.image import Images, changed, differences, put

SITE = "hall"


def a_database(path: Path) -> sqlite3.Connection:
    made = sqlite3.connect(path, isolation_level=None)
    made.execute("PRAGMA journal_mode=WAL")
    made.execute("CREATE TABLE kept(n INTEGER PRIMARY KEY, value BLOB)")
    return made


def rows(path: Path) -> list[tuple[int, bytes]]:
    with closing(sqlite3.connect(path)) as found:
        assert found.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        return found.execute("SELECT n, value FROM kept ORDER BY n").fetchall()


class FilesOf:
    """Some databases of a folder."""

    def __init__(self, folder: Path, *names: str) -> None:
        self._paths = {name: folder / f"{name}.sqlite" for name in names}

    def there(self) -> Mapping[str, Path]:
        return self._paths

    def beat(self, name: str) -> bytes:
        return f"beat of {name}".encode()


class Two:
    """Both rooms; what they say comes to the other unless `loses` it."""

    def __init__(self, folder: Path, *names: str) -> None:
        self.now_s = 100.0
        self.loses: Callable[[Message], bool] = lambda _message: False
        self.ended = 0
        self.sent: list[Message] = []
        self.files = FilesOf(folder, *names)
        self.following = Following(SITE, "second", lambda: self.now_s)
        self.leading = Leading(
            SITE,
            "first",
            self.files,
            publish=self._say,
            now_s=lambda: self.now_s,
            before="zero",
            ended=self._end,
        )

    def _end(self) -> None:
        self.ended += 1

    def _say(self, message: Message) -> None:
        self.sent.append(message)
        if not self.loses(message):
            self.following.received(incoming(message))

    def second(self) -> None:
        """One of it passes."""
        self.now_s += 1.0
        self._say(ROOM_TIME.message(SITE, payload=RoomTime("first", 1)))
        asked = self.following.asks()
        assert asked is not None
        assert self.leading.received(incoming(asked))
        self.leading.tick()


def incoming(message: Message) -> Incoming:
    return Incoming(message.topic, message.payload, message.retain)


@pytest.fixture
def two(tmp_path: Path) -> Two:
    both = Two(tmp_path, "a", "b")
    both.following.link(True)
    return both


def test_pages_that_differ_make_one_of_the_other(tmp_path: Path) -> None:
    rng = Random(4)
    path = tmp_path / "x.sqlite"
    images = Images(path)
    assert images.latest() is None
    with closing(a_database(path)) as database:
        before = images.latest()
        assert before is not None
        assert images.latest() is None
        for _ in range(60):
            match rng.randrange(4):
                case 0:
                    database.execute("DELETE FROM kept WHERE n % 7 = ?", (rng.randrange(7),))
                case 1 if rng.random() < 0.2:
                    database.execute("VACUUM")
                case _:
                    values = [(rng.randbytes(rng.randrange(9_000)),) for _ in range(9)]
                    database.executemany("INSERT INTO kept(value) VALUES (?)", values)
            after = images.latest()
            if after is None:
                continue
            runs = list(differences(before, after))
            assert changed(before, len(after), runs) == after
            before = after
        put(tmp_path / "y.sqlite", before)
        assert rows(tmp_path / "y.sqlite") == rows(path)
    images.close()


def test_pages_beyond_the_end_are_refused() -> None:
    with pytest.raises(ValueError, match="beyond"):
        changed(b"", 4096, [(1, b"x" * 4096)])


def test_it_has_what_the_other_one_has_also_where_messages_are_lost(
    two: Two, tmp_path: Path
) -> None:
    rng = Random(7)
    with (
        closing(a_database(tmp_path / "a.sqlite")) as a,
        closing(a_database(tmp_path / "b.sqlite")) as b,
    ):
        two.loses = lambda _message: rng.random() < 0.2
        for turn in range(80):
            if turn == 60:
                two.loses = lambda _message: False
            for database in (a, b):
                if rng.random() < 0.5 and turn < 70:
                    value = rng.randbytes(rng.choice((10, 5_000, 400_000)))
                    database.execute("INSERT INTO kept(value) VALUES (?)", (value,))
            two.second()
        assert two.following.is_complete
        assert two.following.malformed == 0
        assert two.following.beats == {"a": b"beat of a", "b": b"beat of b"}
        for name, image in two.following.images.items():
            put(tmp_path / f"copy-{name}.sqlite", image)
            assert rows(tmp_path / f"copy-{name}.sqlite") == rows(tmp_path / f"{name}.sqlite")
        assert two.following.images.keys() == {"a", "b"}
        two.leading.close()


def test_nothing_is_sent_while_nobody_stands_by(two: Two, tmp_path: Path) -> None:
    with closing(a_database(tmp_path / "a.sqlite")):
        two.leading.tick()
        assert two.sent == []
        two.second()
        assert two.leading.is_followed
        two.now_s += THERE_S + 0.1
        count = len(two.sent)
        assert not two.leading.look()
        assert not two.leading.is_followed
        assert len(two.sent) == count


def test_what_is_not_what_was_sent_is_asked_for_again(two: Two, tmp_path: Path) -> None:
    with closing(a_database(tmp_path / "a.sqlite")) as database:
        two.loses = lambda message: message.topic == STAND_BY_PART.name(SITE)
        two.second()
        part = next(m for m in two.sent if m.topic == STAND_BY_PART.name(SITE))
        told = STAND_BY_PART.decode(part.payload).value
        wrong = Run(told.runs[0].at, b"?" + told.runs[0].data[1:])
        bad = STAND_BY_PART.message(SITE, payload=replace(told, runs=(wrong,)))
        two.following.received(incoming(bad))
        assert two.following.lacks == ("a",)
        assert "bytes" in repr(wrong)
        two.loses = lambda _message: False
        two.second()
        two.second()
        assert two.following.is_complete
        database.execute("INSERT INTO kept(value) VALUES (x'00')")
        assert two.leading.look()
        assert not two.leading.look()
        put(tmp_path / "copy.sqlite", two.following.images["a"])
        assert rows(tmp_path / "copy.sqlite") == [(1, b"\0")]
    two.leading.close()


def _with_runs(part: object, run: Run) -> object:
    from msgspec.structs import replace

    return replace(part, runs=(run,))  # type: ignore[type-var]


def test_it_leads_when_it_hears_nobody(two: Two) -> None:
    assert not two.following.is_due
    two.now_s += LISTEN_S
    assert two.following.is_due
    taken = STAND_BY_TAKEN.decode(two.following.taken().payload).value
    assert taken == Taken("second", "")
    assert two.leading.received(incoming(two.following.taken()))
    assert two.ended == 0


def test_of_two_that_begin_together_one_leads(two: Two) -> None:
    other = Following(SITE, "earlier", lambda: two.now_s)
    other.link(True)
    for _ in range(3):
        two.now_s += LISTEN_S - 0.1
        asked, heard = two.following.asks(), other.asks()
        assert asked is not None
        assert heard is not None
        other.received(incoming(asked))
        two.following.received(incoming(heard))
        assert not two.following.is_due
    assert other.is_due


def test_it_takes_over_from_one_that_is_silent_or_lost_and_tells_it(two: Two) -> None:
    time = ROOM_TIME.message(SITE, payload=RoomTime("first", 1))
    two.following.received(incoming(time))
    two.now_s += SILENT_S - 0.1
    assert not two.following.is_due
    two.following.received(incoming(time))
    two.following.received(incoming(ROOM_STATE.message(SITE, payload=State("lost", "other", "1"))))
    two.now_s += LOST_S
    assert not two.following.is_due
    two.following.received(incoming(ROOM_STATE.message(SITE, payload=State("lost", "first", "1"))))
    two.now_s += LOST_S
    assert two.following.is_due
    taken = two.following.taken()
    assert two.leading.received(incoming(taken))
    assert two.ended == 1
    two.following.received(incoming(time))  # its connection had only been cut
    assert not two.following.is_due


def test_a_broker_that_is_away_is_not_taken_for_the_other_rooms_silence(two: Two) -> None:
    two.following.received(incoming(ROOM_TIME.message(SITE, payload=RoomTime("first", 1))))
    two.following.link(False)
    two.now_s += 60.0
    assert not two.following.is_due
    assert two.following.asks() is None
    two.following.link(True)
    two.now_s += SILENT_S - 0.1
    assert not two.following.is_due


def test_of_two_that_lead_the_one_ends_that_the_other_knows_too(two: Two) -> None:
    def hears(session: str) -> int:
        time = ROOM_TIME.message(SITE, payload=RoomTime(session, 1))
        assert not two.leading.received(incoming(time))  # the room hears it as well
        return two.ended

    assert hears("first") == 0
    assert hears("second") == 0
    assert hears("zero") == 0  # whose place it has taken
    assert hears("fear") == 1


def test_one_that_begins_waits_for_one_that_has_just_taken_over(two: Two) -> None:
    taken = STAND_BY_TAKEN.message(SITE, payload=Taken("third", "first"))
    two.following.received(incoming(taken))
    two.now_s += LISTEN_S
    assert not two.following.is_due
    two.now_s += SILENT_S
    assert two.following.is_due
    assert two.leading.received(incoming(taken))  # it is this one's place


def test_what_cannot_be_used_is_counted(two: Two) -> None:
    bad = Incoming(STAND_BY_TAKEN.name(SITE), b"{", True)
    two.following.received(bad)
    assert two.leading.received(bad)
    assert (two.following.malformed, two.leading.malformed) == (1, 1)
    assert not two.leading.received(Incoming("cutcard/1/hall/room/time", b"{", True))


def test_the_stores_of_a_room_are_put_in_the_place_of_those_that_were_there(
    tmp_path: Path,
) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    beat = Beat(5, "boot", 6, 7, "s1")
    for folder in (here, there):
        store = RoomStore.open(folder / "room.sqlite")
        store.tick(beat)
        store.close()
    EventStores(there / "room.sqlite").open("monday").close()
    EventStores(here / "room.sqlite").open("sunday").close()
    a_database(there / "people.sqlite").close()
    ours = RoomFiles(here / "room.sqlite", here / "people.sqlite")
    theirs = RoomFiles(there / "room.sqlite", there / "people.sqlite")
    assert theirs.there().keys() == {ROOM, PEOPLE, "event.monday"}
    images = {name: _image(path) for name, path in theirs.there().items()}
    before = ours.there().keys()
    ours.put({}, {}, None)  # nobody had led
    (here / "room.sqlite.before-wal").write_bytes(b"of one before that")
    assert ours.there().keys() == before
    ours.put(images, {name: theirs.beat(name) for name in images}, images.keys())
    assert ours.there().keys() == theirs.there().keys()
    assert (here / "room.sqlite.before").is_file()
    assert not (here / "room.sqlite.before-wal").exists()
    assert (here / "room.sqlite.events" / "sunday.sqlite.before").is_file()
    opened = RoomStore.open(here / "room.sqlite")
    assert opened.beat == beat
    opened.close()


def _image(path: Path) -> bytes:
    images = Images(path)
    found = images.latest()
    images.close()
    assert found is not None
    return found
