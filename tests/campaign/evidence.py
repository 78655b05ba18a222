"""What an episode leaves behind, read from outside: the journals, the room's history, the logs."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from tests.campaign.lineup import TABLE, LineUp

Place = tuple[str, int]
"""An event's session and `seq`."""


Row = tuple[int, bytes]
"""A line's number, and its link in the journal's chain."""


class Kept(Struct, frozen=True):
    """Of all journals there were: the lines in order, with their rows, and the events by place."""

    lines: tuple[bytes, ...]
    rows: frozenset[Row]
    published: dict[Place, bytes]


def kept(line_up: LineUp) -> Kept:
    """What the table's journals have; what can't be read of a damaged one is left out."""
    lines: list[bytes] = []
    links: set[Row] = set()
    published: dict[Place, bytes] = {}
    aside = sorted(
        path
        for path in line_up.state.glob("journal.sqlite.bad-*")
        if not path.name.endswith(("-wal", "-shm"))
    )
    for path in (*aside, line_up.journal):
        for n, line, link in _rows(path, "SELECT n, line, link FROM observations ORDER BY n"):
            lines.append(line)
            links.add((n, link))
        rows = _rows(path, "SELECT session, seq, payload FROM published")
        published |= {(session, seq): payload for session, seq, payload in rows}
    return Kept(tuple(lines), frozenset(links), published)


def newest_row(line_up: LineUp) -> list[Row]:
    """The journal's last line just now, if there is one."""
    return _rows(line_up.journal, "SELECT n, link FROM observations ORDER BY n DESC LIMIT 1")


def archived(line_up: LineUp) -> dict[Place, str]:
    """The events of the room's history: their bodies by place."""
    words = (
        "SELECT s.name, e.seq, e.body FROM events e JOIN sessions s ON s.sid = e.sid"
        " JOIN journals j ON j.jid = e.jid JOIN tables t ON t.tid = j.tid WHERE t.name = ?"
    )
    return {(name, seq): body for name, seq, body in _rows(line_up.history, words, TABLE)}


def heard(line_up: LineUp) -> Iterator[tuple[Place, bytes]]:
    """The events that the listener heard, doubles and all."""
    for each in line_up.listener.of(f"tables/{TABLE}/events"):
        fields = each.fields
        yield (fields["session"], fields["seq"]), each.payload


def sessions(line_up: LineUp) -> list[str]:
    """The table's sessions in the order in which they were heard of."""
    told = (m.fields.get("session") for m in line_up.listener.messages if f"/{TABLE}/" in m.topic)
    return list(dict.fromkeys(filter(None, told)))


def in_order(events: dict[Place, bytes], order: list[str]) -> list[dict[str, Any]]:
    """Events in the order in which the table told them. Of a session that was never heard of, its
    number tells where it belongs."""
    ranks = {session: at for at, session in enumerate(order)}

    def rank(place: Place) -> tuple[float, int]:
        number = int(place[0].partition("-")[0])
        return ranks.get(place[0], number - 1.5), place[1]

    return [msgspec.json.decode(events[place])["event"] for place in sorted(events, key=rank)]


def logs(line_up: LineUp) -> dict[str, str]:
    """What each process said."""
    return {path.stem: path.read_text(errors="replace") for path in line_up.folder.glob("*.log")}


def secrets_told(line_up: LineUp) -> list[str]:
    """Where a tag of the deck is to be read, in any form it could be written in."""
    tags = line_up.people.tags.values()
    forms = [
        form
        for tag in tags
        for form in (tag.encode(), tag.lower().encode(), bytes.fromhex(tag), tag[8:].encode())
    ]
    pattern = re.compile(b"|".join(map(re.escape, forms)))
    found = [m.topic for m in line_up.listener.messages if pattern.search(m.payload)]
    secret = {"deck.toml", "table.toml"}  # the puck's tag is in the settings
    files = (p for p in line_up.folder.rglob("*") if p.is_file() and p.name not in secret)
    found += [str(p.relative_to(line_up.folder)) for p in files if pattern.search(p.read_bytes())]
    cards = re.compile(rb'"[2-9TJQKA][shdc]"')
    found += ["a line of the journal" for line in kept(line_up).lines if cards.search(line)]
    return sorted(set(found))


def _rows(path: Path, sql: str, *values: object) -> list[Any]:
    try:
        with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, timeout=2.0)) as db:
            return db.execute(sql, values).fetchall()
    except sqlite3.Error:
        return []
