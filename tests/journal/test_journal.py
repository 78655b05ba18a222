"""Lines, checkpoints, counters and commands in a file that may be damaged or full."""

from __future__ import annotations

import os
import random
import sqlite3
import stat
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from controller.contract.cards import CARDS, JOKERS
from controller.contract.messages import Message
from controller.contract.observations import Table, decode
from controller.storage.database import DamagedError, Database, DatabaseError, UnfitError
from controller.storage.journal import Counters, Journal, _whole, verify
from controller.storage.key_ring import KeyRing
from controller.storage.pseudonyms import classifier
from tests.journal.lines import append, begin_hand

HANDS = sorted((Path(__file__).parent.parent / "hands").rglob("*.jsonl"))
MARKER = "E004C0FFEE"
CODES = (*CARDS, *JOKERS)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.sqlite3"


def silent(line: str) -> None:
    pytest.fail(line)


def opened(path: Path, keep_hands: int = 500) -> Journal:
    return Journal.open(path, report=silent, keep_hands=keep_hands, now_s=lambda: 1_000.0)


def message(text: str) -> Message:
    return Message("t/events", text.encode(), 1, False)


def filled(path: Path, lines: int) -> None:
    journal = opened(path)
    for n in range(1, lines + 1):
        append(journal, b'{"o":"line %03d"}' % n, hand=1, counters=journal.counters)
    journal.close()


def test_it_is_durable_by_its_pragmas(path: Path) -> None:
    journal = opened(path)
    assert journal._database.connection.execute("PRAGMA synchronous").fetchone() == (2,)
    journal.forget([1])  # this one commit need not be synced; the next one must be
    db = journal._database.connection
    assert db.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert db.execute("PRAGMA synchronous").fetchone() == (2,)
    journal.close()


@pytest.mark.parametrize("before", [False, True])
def test_nobody_else_may_read_it(path: Path, before: bool) -> None:
    if before:
        path.touch(0o666)
        path.chmod(0o666)
    old = os.umask(0)
    try:
        journal = opened(path)
        append(journal, b"1", hand=1, counters=Counters())
        files = sorted(path.parent.iterdir())
        assert [each.name[15:] for each in files] == ["", "-shm", "-wal"]
        assert {stat.S_IMODE(each.stat().st_mode) for each in files} == {0o600}
        journal.close()
    finally:
        os.umask(old)


def test_what_is_written_is_there_after_opening_again(path: Path) -> None:
    journal = opened(path)
    assert journal.since_checkpoint() == (None, [])
    assert journal.counters == Counters(session=1)
    append(journal, b"before", hand=0, counters=journal.counters)
    counters = msgspec.structs.replace(journal.counters, hands=1, seq=2, t=3.5, findings=4)
    begin_hand(journal, b"table", hand=1, counters=counters, lines=[b"riffle"], origin="a")
    append(journal, b"seen", hand=1, counters=counters, origin="b")
    journal.close()

    journal = opened(path)
    assert journal.since_checkpoint() == (b"table", [b"riffle", b"seen"])
    assert journal.counters == Counters(session=2, hands=1, findings=4, seq=0, t=3.5)
    assert journal.origins() == ["a", "b"]
    begin_hand(journal, b"next", hand=2, counters=journal.counters)
    assert journal.since_checkpoint() == (b"next", [])
    journal.close()
    assert verify(path) is None


def test_old_hands_are_pruned_and_the_chain_still_holds(path: Path) -> None:
    journal = opened(path, keep_hands=3)
    for hand in range(1, 9):
        lines = [b"%d" % hand]
        begin_hand(journal, b"c", hand=hand, counters=journal.counters, lines=lines)
        append(journal, b"+", hand=hand, counters=journal.counters)
    db = journal._database.connection
    assert db.execute("SELECT DISTINCT hand FROM observations").fetchall() == [(6,), (7,), (8,)]
    assert verify(path) is None
    journal.close()
    journal = opened(path, keep_hands=1)
    for hand in (9, 10, 11):
        begin_hand(journal, b"c", hand=hand, counters=journal.counters)
    assert journal._database.connection.execute("SELECT * FROM observations").fetchall() == []
    journal.close()
    journal = opened(path)
    append(journal, b"on", hand=11, counters=journal.counters)
    assert journal.since_checkpoint() == (b"c", [b"on"])
    journal.close()
    assert verify(path) is None
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("UPDATE meta SET value = ? WHERE key = 'pruned_link'", (bytes(32),))
    assert verify(path) == 17


@pytest.mark.parametrize("with_deck", [False, True])
def test_no_tag_and_no_card_is_in_the_files(path: Path, with_deck: bool) -> None:
    names = KeyRing(path.parent)
    journal = opened(path)
    planted: set[str] = set()
    for log in HANDS:
        deck: dict[str, str] | None = None
        for text in log.read_bytes().splitlines():
            observation = decode(text)
            if isinstance(observation, Table) and observation.deck is None and with_deck:
                deck = {f"{MARKER}{code}": code for code in CODES}
                observation = msgspec.structs.replace(observation, deck=deck)
            tag = getattr(observation, "tag", None)
            if deck is not None and tag is not None:
                observation = msgspec.structs.replace(observation, tag=f"{MARKER}{tag}")
                tag = f"{MARKER}{tag}"
            planted |= {tag} if tag else set()
            line = names.hide(observation, classifier(deck, {}))
            append(journal, line, hand=1, counters=journal.counters)
    files = [each for each in path.parent.iterdir() if each.name.startswith(path.name)]
    assert len(files) == 3
    assert len(planted) > 50
    for file in files:
        content = file.read_bytes()
        for secret in planted:
            # With less around them two letters are among so many random bytes now and then.
            assert f':"{secret}"'.encode() not in content
        for code in CODES:
            assert f':"{code}"'.encode() not in content
        assert MARKER.encode() not in content
        assert (path.parent / "hand.key").read_bytes() not in content
    journal.close()


def test_a_changed_byte_is_named_by_its_row(path: Path) -> None:
    filled(path, 200)
    whole = path.read_bytes()
    for row in (1, 77, 200):
        at = whole.index(b"line %03d" % row)
        # The line, its link, and in the row's header the types of both.
        for offset in (at, at + 7, at + 9, at + 20, at + 41, at - 8, at - 7):
            path.write_bytes(whole[:offset] + bytes([whole[offset] ^ 1]) + whole[offset + 1 :])
            assert verify(path) == row
    path.write_bytes(whole)
    assert verify(path) is None


def test_no_changed_byte_makes_it_fall_over(path: Path) -> None:
    filled(path, 60)
    whole = path.read_bytes()
    chance = random.Random(7)
    said: list[str] = []
    for attempt in range(200):
        offset = chance.randrange(len(whole) if attempt % 2 else 4096)
        for left in path.parent.iterdir():
            left.unlink()
        changed = whole[offset] ^ (1 << chance.randrange(8))
        path.write_bytes(whole[:offset] + bytes([changed]) + whole[offset + 1 :])
        try:
            assert verify(path) in {None, *range(1, 61)}
        except DatabaseError as error:
            assert str(path) in str(error)  # noqa: PT017 (either is right)
        try:
            journal = Journal.open(path, report=said.append)
        except DatabaseError as error:
            assert isinstance(error, UnfitError)  # noqa: PT017
        else:
            begin_hand(journal, b"c", hand=900, counters=journal.counters, lines=[b"x"])
            assert journal.since_checkpoint() == (b"c", [b"x"])
            journal.close()


@pytest.mark.parametrize(
    "sql", ["DELETE FROM observations WHERE n = 5", "UPDATE observations SET hand = 2 WHERE n = 5"]
)
def test_a_row_that_is_missing_or_moved_is_named(path: Path, sql: str) -> None:
    filled(path, 9)
    with closing(sqlite3.connect(path)) as db, db:
        db.execute(sql)
    assert verify(path) == 5


@pytest.mark.parametrize("damage", ["header", "pages", "no database", "schema"])
def test_a_damaged_file_is_moved_aside(path: Path, damage: str) -> None:
    journal = opened(path)
    counters = Counters(session=1, hands=7, findings=9, t=80.0)
    for n in range(200):
        append(journal, b"%d" % n * 50, hand=7, counters=counters)
    journal.close()
    whole = path.read_bytes()
    path.write_bytes(
        {
            "header": b"x" * 100 + whole[100:],
            "pages": whole[: 4096 * 6] + os.urandom(4096) + whole[4096 * 7 :],
            "no database": b"hello",
            "schema": whole.replace(b"observations(n ", b"observations(m "),
        }[damage]
    )
    damaged = path.read_bytes()
    said: list[str] = []
    journal = Journal.open(path, report=said.append, now_s=lambda: 1_000.0)
    aside = path.with_name(path.name + ".bad-1000")
    assert said == [f"the journal was damaged; it is now {aside}"]
    assert aside.read_bytes() == damaged
    assert journal.since_checkpoint() == (None, [])
    kept = Counters(session=2, hands=7, findings=9, t=80.0)
    assert journal.counters == (kept if damage in {"pages", "schema"} else Counters(session=1))
    append(journal, b"on", hand=1, counters=journal.counters)
    journal.close()
    assert verify(path) is None


def test_what_is_not_ours_is_left_alone(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("PRAGMA user_version=99")
    with pytest.raises(DatabaseError, match="a newer version of cutcard"):
        Journal.open(path, report=silent)
    with pytest.raises(DatabaseError, match="a newer version of cutcard"):
        verify(path)
    with pytest.raises(DatabaseError, match="No such file"):
        Journal.open(path.parent / "nowhere" / "j", report=silent)
    with pytest.raises(DatabaseError, match="cannot be opened"):
        verify(path.parent / "nowhere")


def test_two_that_write_one_file_are_told(path: Path) -> None:
    one, two = opened(path), opened(path)
    append(one, b"1", hand=1, counters=one.counters)
    with pytest.raises(DatabaseError, match="another program is writing to it too"):
        append(two, b"2", hand=1, counters=two.counters)
    append(one, b"3", hand=1, counters=one.counters)
    one.close()
    two.close()
    assert verify(path) is None


def may_mount() -> bool:
    with tempfile.TemporaryDirectory() as name:
        mounted = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", name],
            capture_output=True,
            check=False,
        ).returncode
        if mounted == 0:
            subprocess.run(["umount", name], check=True)
        return mounted == 0


@pytest.fixture(params=["pages", *(["tmpfs"] if os.geteuid() == 0 and may_mount() else [])])
def small_disk(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Path, bool]]:
    """A folder, and whether it is really small."""
    if request.param == "pages":
        yield tmp_path, False
        return
    mount = ["mount", "-t", "tmpfs", "-o", "size=400k", "tmpfs", str(tmp_path)]
    subprocess.run(mount, check=True)
    yield tmp_path, True
    subprocess.run(["umount", "--lazy", str(tmp_path)], check=True)


def test_a_full_disk_is_one_error_and_is_got_over(small_disk: tuple[Path, bool]) -> None:
    folder, really = small_disk
    path = folder / "journal.sqlite3"
    journal = opened(path)
    if not really:
        journal._database.connection.execute("PRAGMA max_page_count=40")
    written: list[bytes] = []

    def write_on() -> None:
        for n in range(10_000):
            line, at = b"%d" % n * 100, Counters(session=1, seq=n)
            append(journal, line, hand=1, counters=at, messages=[message(str(n))], origin=str(n))
            written.append(line)

    with pytest.raises(DatabaseError, match="full") as caught:
        write_on()
    assert str(path) in str(caught.value)
    assert len(written) > 10
    assert journal.since_checkpoint()[1] == written
    assert journal.counters.seq == len(written) - 1
    assert journal.origins()[-1] == str(len(written) - 1)
    with pytest.raises(DatabaseError):
        append(journal, b"x" * 100_000, hand=1, counters=journal.counters)
    assert len(journal.waiting()) == len(written)

    if really:
        subprocess.run(["mount", "-o", "remount,size=4m", str(folder)], check=True)
    else:
        journal._database.connection.execute("PRAGMA max_page_count=4000")
    append(journal, b"again", hand=1, counters=journal.counters)
    assert journal.since_checkpoint()[1] == [*written, b"again"]
    journal.close()
    assert verify(path) is None


def a_hand_in_play(path: Path) -> Counters:
    journal = opened(path)
    counters = Counters(session=1, hands=7, findings=9, t=80.0, open=8)
    append(journal, b"of an earlier hand", hand=7, counters=counters)
    begin_hand(journal, b'{"state":1}' * 9, hand=8, counters=counters, lines=[b"seen", b"gone"])
    for n in range(20):
        append(journal, b'{"o":{"kind":"seen","t":%d}}' % n, hand=8, counters=counters)
    journal.close()
    return counters


def test_one_flipped_bit_of_what_a_restart_builds_on_is_noticed(path: Path) -> None:
    """In every byte of the open hand's lines and their links, of the checkpoint, the counters and
    the seal."""
    a_hand_in_play(path)
    chance = random.Random(11)
    fields = [
        ("observations", "line", "n > 1"),
        ("observations", "link", "n > 1"),
        ("meta", "value", "key IN ('checkpoint', 'counters')"),
        ("seal", "seal", "one = 1"),
    ]
    with closing(Database(path)) as database:
        db = database.connection
        assert _whole(database) is database
        for table, column, which in fields:
            key = db.execute(f"SELECT name FROM pragma_table_info('{table}')").fetchone()[0]  # noqa: S608
            rows = db.execute(f"SELECT {key}, {column} FROM {table} WHERE {which}").fetchall()  # noqa: S608
            for row, text in rows:
                for at in range(len(text)):
                    flipped = bytearray(text)
                    flipped[at] ^= 1 << chance.randrange(8)
                    db.execute("BEGIN")
                    put = f"UPDATE {table} SET {column} = ? WHERE {key} = ?"  # noqa: S608
                    db.execute(put, (bytes(flipped), row))
                    with pytest.raises((DamagedError, msgspec.MsgspecError)):
                        _whole(database)
                    db.execute("ROLLBACK")


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE observations SET line = x'00' WHERE n = 12",
        "DELETE FROM observations WHERE n = 12",
        "DELETE FROM observations WHERE n = (SELECT max(n) FROM observations)",
        "UPDATE meta SET value = 3 WHERE key = 'checkpoint_n'",
        "UPDATE meta SET value = -1 WHERE key = 'checkpoint_n'",
        "UPDATE meta SET value = 9e99 WHERE key = 'checkpoint_n'",
    ],
)
def test_it_is_set_aside_and_its_counters_go_on(path: Path, sql: str) -> None:
    counters = a_hand_in_play(path)
    with closing(sqlite3.connect(path)) as db, db:
        db.execute(sql)
    said: list[str] = []
    journal = Journal.open(path, report=said.append, now_s=lambda: 1_000.0)
    assert said == [f"the journal was damaged; it is now {path}.bad-1000"]
    assert journal.since_checkpoint() == (None, [])
    assert journal.counters == msgspec.structs.replace(counters, session=2)
    journal.close()


def test_one_of_an_older_version_has_no_seal_yet(path: Path) -> None:
    a_hand_in_play(path)
    with closing(sqlite3.connect(path)) as db, db:
        for table in ("seal", "sealed", "sealed_before", "openings"):
            db.execute(f"DROP TABLE {table}")
        db.execute("PRAGMA user_version=2")
    journal = opened(path)
    assert len(journal.since_checkpoint()[1]) == 22
    journal.close()
    assert verify(path) is None
