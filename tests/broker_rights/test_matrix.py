"""Who may say what, and who hears it: every role on every topic, at the broker that is shipped.

The table below is written by hand from DESIGN, section 5, and the contract, section 4. It is not
made from the rights that are tried.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.broker_rights.peer import REFUSED, Peer, peer
from tests.broker_rights.shipped import SITE, Shipped

T1 = {"table-T1", "doctor@table-T1"}
T2 = {"table-T2", "doctor@table-T2"}
TABLES = T1 | T2
ROOM, ARCHIVE, SCREEN = {"room"}, {"archive"}, {"screen"}
NOBODY = set[str]()
EVERYBODY = TABLES | ROOM | ARCHIVE | SCREEN

MAY: dict[str, tuple[set[str], set[str]]] = {
    # topic: (who writes, who reads)
    "tables/T1/$state": (T1, ROOM),
    "tables/T1/hand": (T1, ROOM | ARCHIVE),
    "tables/T1/health": (T1, ROOM),
    "tables/T1/events": (T1, ROOM | ARCHIVE),
    "tables/T1/chain": (T1, ROOM | ARCHIVE),
    "tables/T1/alerts/7": (T1, ROOM | T1),
    "tables/T1/cmd/ruling": (ROOM, T1),
    "tables/T1/cmd/misdeal": (ROOM, T1),
    "tables/T1/cmd/pause": (ROOM, T1),
    "tables/T1/cmd/resend": (ROOM | ARCHIVE, T1),
    "tables/T2/$state": (T2, ROOM),
    "tables/T2/hand": (T2, ROOM | ARCHIVE),
    "tables/T2/health": (T2, ROOM),
    "tables/T2/events": (T2, ROOM | ARCHIVE),
    "tables/T2/chain": (T2, ROOM | ARCHIVE),
    "tables/T2/alerts/7": (T2, ROOM | T2),
    "tables/T2/cmd/ruling": (ROOM, T2),
    "tables/T2/cmd/resend": (ROOM | ARCHIVE, T2),
    "room/$state": (ROOM, TABLES | ROOM | SCREEN),
    "room/time": (ROOM, TABLES | ROOM | SCREEN),
    "room/clock": (ROOM, TABLES | ROOM | SCREEN),
    "room/tournament": (ROOM, TABLES | ROOM | SCREEN),
    "room/events/turbo/clock": (ROOM, TABLES | ROOM | SCREEN),
    "room/events/turbo/tournament": (ROOM, TABLES | ROOM | SCREEN),
    "room/seats/T1": (ROOM, T1 | ROOM),
    "room/seats/T2": (ROOM, T2 | ROOM),
    "room/answers/a1b2": (TABLES, ROOM | ARCHIVE),
    "stand-by/here": (ROOM, ROOM),
    "stand-by/part": (ROOM, ROOM),
    "stand-by/stores": (ROOM, ROOM),
    "stand-by/taken": (ROOM, ROOM),
    # With these the doctor asks what its table may read.
    "tables/T1/alerts/doctor/doctor": (T1, T1),
    "tables/T1/cmd/doctor/doctor": (T1, T1),
    # Of what is none of these topics nobody says anything.
    "tables/T1": (NOBODY, NOBODY),
    "tables/T1/new": (NOBODY, NOBODY),
    "tables/T1/hand/new": (NOBODY, NOBODY),
    "tables/T1/alerts": (NOBODY, NOBODY),
    "tables/T1/alerts/7/new": (NOBODY, NOBODY),
    "tables/T1/cmd/ruling/new": (NOBODY, NOBODY),
    "tables/T10/hand": (NOBODY, NOBODY),
    "room/new": (NOBODY, NOBODY),
    "room/events/turbo": (NOBODY, NOBODY),
    "room/events/turbo/new": (NOBODY, NOBODY),
    "room/answers": (NOBODY, NOBODY),
    "room/answers/a1b2/new": (NOBODY, NOBODY),
    "stand-by": (NOBODY, NOBODY),
    "stand-by/part/new": (NOBODY, NOBODY),
    "elsewhere": (NOBODY, NOBODY),
    "/": (NOBODY, NOBODY),
    "../../other/tables/T1/hand": (NOBODY, NOBODY),
}


def topic(path: str) -> str:
    return path.removeprefix("../../") if path.startswith("../") else f"cutcard/1/{SITE}/{path}"


def everything(user: str) -> tuple[str, ...]:
    """All ways to ask for everything: with wildcards, by name, and shared."""
    group = user.replace("@", "-")
    return ("#", "+/#", "$SYS/#", f"$share/{group}/#", f"cutcard/1/{SITE}/#", *map(topic, MAY))


@pytest.fixture
def peers(shipped: Shipped) -> Iterator[dict[str, Peer]]:
    with ExitStack() as stack:
        peers = {
            user: stack.enter_context(peer(shipped.login(user), user)) for user in sorted(EVERYBODY)
        }
        for user, one in peers.items():
            assert one.entered == 0
            one.subscribe(*everything(user))
        yield peers


def say_all(peers: dict[str, Peer], word: str, *, retain: bool) -> dict[str, set[str]]:
    """Everybody says something on every topic, all at once; returns who was let."""
    let: dict[str, set[str]] = {path: set() for path in MAY}
    for user, one in peers.items():
        said = {topic(path): f"{user} {word}".encode() for path in MAY}
        codes = one.publish(said, retain=retain)
        for path in MAY:
            if codes[topic(path)] != REFUSED:
                let[path].add(user)
    return let


def heard_of(peers: dict[str, Peer], word: str) -> dict[str, set[tuple[str, str]]]:
    """Path → who heard whom there."""
    paths = {topic(path): path for path in MAY}
    found: dict[str, set[tuple[str, str]]] = {path: set() for path in MAY}
    for user, one in peers.items():
        for each in one.heard:
            by, _, said = each.payload.decode().partition(" ")
            if said == word:
                found[paths[each.topic]].add((user, by))
    return found


def end(peers: dict[str, Peer], word: bytes) -> None:
    """Waits until everybody has heard all that was said so far: each hears one of these."""
    peers["room"].publish({topic("room/clock"): word, topic("tables/T2/cmd/ruling"): word})
    peers["table-T1"].publish({topic("tables/T1/events"): word})
    for one in peers.values():
        one.hears(word)


def test_everybody_says_and_hears_what_is_his_and_no_more(peers: dict[str, Peer]) -> None:
    let = say_all(peers, "now", retain=False)
    assert let == {path: writers for path, (writers, _) in MAY.items()}
    end(peers, b"end")
    assert heard_of(peers, "now") == {
        path: {(reader, writer) for reader in readers for writer in writers}
        for path, (writers, readers) in MAY.items()
    }
    assert not [each for one in peers.values() for each in one.heard if each.topic.startswith("$")]


def test_what_is_kept_is_kept_for_the_same(peers: dict[str, Peer], shipped: Shipped) -> None:
    """Each who spoke gives way to a client of the same user that comes late."""
    let = say_all(peers, "kept", retain=True)
    assert let == {path: writers for path, (writers, _) in MAY.items()}
    end(peers, b"all said")
    late: dict[str, Peer] = {}
    with ExitStack() as stack:
        for user in peers:
            late[user] = stack.enter_context(peer(shipped.login(user), user))
            assert late[user].entered == 0
            late[user].subscribe(*everything(user))
        end(late, b"all heard")
        kept = {path: {who for who, _ in heard} for path, heard in heard_of(late, "kept").items()}
    assert kept == {path: readers if writers else set() for path, (writers, readers) in MAY.items()}


def test_a_last_will_says_no_more_than_its_client(shipped: Shipped) -> None:
    with peer(shipped.login("room")) as room:
        room.subscribe("#")
        for path in ("tables/T1/$state", "room/$state", "room/clock", "elsewhere"):
            with peer(shipped.login("table-T2"), will=topic(path)) as intruder:
                intruder.drop()
        with peer(shipped.login("table-T2"), will=topic("tables/T2/$state")) as table:
            assert table.entered == 0
            table.drop()
        room.hears(b"the will")
        assert {each.topic for each in room.heard if each.payload == b"the will"} == {
            topic("tables/T2/$state")
        }


def test_the_rights_name_no_wildcard_for_writing_but_where_names_are_made(folder: Path) -> None:
    """What one table can fill the broker with: alerts, and answers to the room."""
    shipped = Shipped(folder)
    shipped.make_certificate()
    shipped.set_up("--tables", "T1")
    (table,) = (
        section
        for section in (folder / "cutcard.acl").read_text().split("user ")
        if section.startswith("table-T1\n")
    )
    writes = [line for line in table.splitlines() if "write" in line and not line.startswith("#")]
    assert [line for line in writes if "+" in line or "#" in line] == [
        f"topic write {topic('tables/T1/alerts/+')}",
        f"topic write {topic('room/answers/+')}",
    ]
