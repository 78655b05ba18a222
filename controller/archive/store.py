"""The archive in a database: what comes in is kept once, and hands and findings follow from it."""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Callable, Collection, Sequence

import msgspec

from controller.archive import counting, fold, reading
from controller.archive import heads as of_journals
from controller.archive.derived import keep_findings, keep_hands, plain
from controller.archive.kept import (
    MOST_HANDS,
    Added,
    Gap,
    HandRecord,
    KeptEvent,
    KeptHand,
    KeptHead,
    Page,
    Place,
    Query,
    Reached,
)
from controller.archive.reading import EVENT_COLUMNS, gap_of
from controller.archive.spans import MOST_SEQ, Progress, mark, take
from controller.archive.sql import Sql
from controller.archive.statistics import Counts, Period
from controller.contract.events import encode_event

_GAP_COLUMNS = "first, last, since, asked, asked_at, lost"


class SqlArchive:
    """Implements `Archive` with a connection of its own."""

    def __init__(self, sql: Sql) -> None:
        self._sql = sql
        self._turn = threading.Lock()
        self._tids: dict[str, int] = {}
        self._jids: dict[int, int] = {}
        self._sids: dict[tuple[int, str], int] = {}

    # --- what comes in ---

    def add(
        self, heard: Sequence[KeptEvent], reached: Sequence[Reached] = (), *, now_ms: int = 0
    ) -> Added:
        """See `Archive`."""
        by_session: dict[tuple[str, str], list[KeptEvent]] = defaultdict(list)
        tops: dict[tuple[str, str], int] = {}
        for each in heard:
            if 0 < each.seq <= MOST_SEQ:
                by_session[each.table, each.session].append(each)
        for said in reached:
            if said.seq <= MOST_SEQ:
                key = said.table, said.session
                tops[key] = max(tops.get(key, 0), said.seq)
        if not by_session and not tops:
            return Added(0, len(heard))
        with self._turn:
            return self._add(by_session, tops, len(heard), now_ms)

    def _add(
        self,
        by_session: dict[tuple[str, str], list[KeptEvent]],
        tops: dict[tuple[str, str], int],
        count: int,
        now_ms: int,
    ) -> Added:
        sessions = {key: self._session(*key) for key in sorted({*by_session, *tops})}
        for key, heard in sorted(by_session.items()):
            self._journal(*sessions[key], min(heard, key=lambda each: each.seq))
        with self._sql.transaction():
            self._sql.lock({tid for tid, _ in sessions.values()})
            fresh: list[tuple[int, int, KeptEvent]] = []
            for key, (tid, sid) in sessions.items():
                blank = Gap(*key, 0, 0, since_ms=now_ms)
                fresh += [
                    (tid, sid, each)
                    for each in self._progress(sid, blank, by_session[key], tops.get(key, 0))
                ]
            self._keep(fresh, now_ms)
        return Added(len(fresh), count - len(fresh))

    def _session(self, table: str, session: str) -> tuple[int, int]:
        """The numbers of table and session, which are given here when they are new."""
        tid = self._table(table)
        sid = self._sids.get((tid, session))
        if sid is None:
            sid = self._number("sessions", "sid", ("tid", "name", "top"), (tid, session, 0))
        if len(self._sids) > 10_000:
            self._sids.clear()
        self._sids[tid, session] = sid
        return tid, sid

    def _journal(self, tid: int, sid: int, told: KeptEvent) -> int:
        """The number of the journal of an event, which is given here when it is new. A session has
        one; what an older version does not name belongs to the table's newest."""
        if sid not in self._jids:
            found = self._sql.rows("SELECT jid FROM events WHERE sid = ? LIMIT 1", (sid,))
            if not found and not told.journal:
                newest = "SELECT jid FROM journals WHERE tid = ? ORDER BY jid DESC LIMIT 1"
                found = self._sql.rows(newest, (tid,))
            if not found and told.journal:
                self._name_the_unnamed(tid, told)
            if len(self._jids) > 10_000:
                self._jids.clear()
            self._jids[sid] = (
                int(found[0][0])
                if found
                else self._number("journals", "jid", ("tid", "name"), (tid, told.journal))
            )
        return self._jids[sid]

    def _name_the_unnamed(self, tid: int, told: KeptEvent) -> None:
        """A table that begins to say its journal's name goes on with the one that it has, unless
        its hands begin anew."""
        rows = self._sql.rows("SELECT jid, name FROM journals WHERE tid = ?", (tid,))
        if [name for _, name in rows] != [""]:
            return
        last = self._sql.rows("SELECT max(hand) FROM hands WHERE jid = ?", (rows[0][0],))[0][0]
        if told.event.hand >= (last or 0):
            self._sql.run("UPDATE journals SET name = ? WHERE jid = ?", (told.journal, rows[0][0]))

    def _table(self, table: str) -> int:
        """Its number, which is given here when it is new."""
        if table not in self._tids:
            self._tids[table] = self._number("tables", "tid", ("name",), (table,))
        return self._tids[table]

    def _number(
        self, into: str, column: str, names: Sequence[str], values: Sequence[object]
    ) -> int:
        keys = [(name, value) for name, value in zip(names, values, strict=True) if name != "top"]
        where = " AND ".join(f"{name} = ?" for name, _ in keys)
        find = f"SELECT {column} FROM {into} WHERE {where}"  # noqa: S608 - names of ours
        found = self._sql.rows(find, [value for _, value in keys])
        if not found:
            blanks = ", ".join("?" for _ in names)
            self._sql.run(
                f"INSERT INTO {into}({', '.join(names)}) VALUES ({blanks})"  # noqa: S608
                " ON CONFLICT DO NOTHING",
                values,
            )
            found = self._sql.rows(find, [value for _, value in keys])
        return int(found[0][0])

    def _progress(
        self, sid: int, blank: Gap, heard: Sequence[KeptEvent], reached: int
    ) -> list[KeptEvent]:
        """Moves the session on; returns what had not come before."""
        top = int(self._sql.rows("SELECT top FROM sessions WHERE sid = ?", (sid,))[0][0])
        by_seq = {each.seq: each for each in heard}
        first, last = min(by_seq, default=MOST_SEQ), max(by_seq, default=0)
        rows = []
        if first <= top:
            rows = self._sql.rows(
                f"SELECT {_GAP_COLUMNS} FROM gaps WHERE sid = ? AND last >= ? AND first <= ?"  # noqa: S608
                " ORDER BY first",
                (sid, first, last),
            )
        before = Progress(top, tuple(gap_of(blank.table, blank.session, row) for row in rows))
        after, fresh = take(before, blank, by_seq, reached)
        if after.top != top:
            self._sql.run("UPDATE sessions SET top = ? WHERE sid = ?", (after.top, sid))
        self._replace_gaps(sid, before.missing, after.missing)
        return [by_seq[seq] for seq in fresh]

    def _replace_gaps(self, sid: int, before: Sequence[Gap], after: Sequence[Gap]) -> None:
        gone, new = [g for g in before if g not in after], [g for g in after if g not in before]
        if gone:
            self._sql.many(
                "DELETE FROM gaps WHERE sid = ? AND first = ?", [(sid, g.first) for g in gone]
            )
        if new:
            self._sql.many(
                "INSERT INTO gaps VALUES (?, ?, ?, ?, ?, ?, ?)",
                [(sid, g.first, g.last, g.since_ms, g.asked, g.asked_ms, int(g.lost)) for g in new],
            )

    def _keep(self, fresh: Sequence[tuple[int, int, KeptEvent]], now_ms: int) -> None:
        rows, hands, findings = [], set(), set()
        for tid, sid, told in fresh:
            event = told.event
            finding = fold.finding_of(event)
            jid = self._journal(tid, sid, told)
            hands.add((jid, told.table, event.hand))
            if finding is not None:
                findings.add((jid, told.table, finding))
            kind = str(event.__struct_config__.tag)
            body = encode_event(event).decode()
            said = plain(told.by), plain(told.reason)
            rows.append((sid, told.seq, jid, event.hand, finding, told.at, kind, body, *said))
        if rows:
            self._sql.many(
                f"INSERT INTO events({EVENT_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"  # noqa: S608
                " ON CONFLICT DO NOTHING",
                rows,
            )
        keep_hands(self._sql, sorted(hands), now_ms)
        keep_findings(self._sql, sorted(findings))

    def add_heads(self, heads: Sequence[KeptHead]) -> None:
        """See `Archive`."""
        with self._turn:
            known = [(self._table(each.table), each) for each in heads]
            with self._sql.transaction():
                of_journals.keep(self._sql, known)

    def heads(self, table: str | None = None) -> tuple[KeptHead, ...]:
        """See `Archive`."""
        with self._turn:
            return of_journals.heads(self._sql, table)

    # --- what is missing ---

    def gaps(self, most: int = 1_000) -> tuple[Gap, ...]:
        """See `Archive`."""
        with self._turn:
            rows = self._sql.rows(
                "SELECT t.name, s.name, g.first, g.last, g.since, g.asked, g.asked_at, g.lost"
                " FROM gaps g JOIN sessions s ON s.sid = g.sid JOIN tables t ON t.tid = s.tid"
                " WHERE g.lost = 0 ORDER BY g.since, g.sid, g.first LIMIT ?",
                (most,),
            )
        return tuple(gap_of(row[0], row[1], row[2:]) for row in rows)

    def asked(self, piece: Gap, *, now_ms: int, told: bool = False) -> None:
        """See `Archive`."""

        def change(gap: Gap) -> Gap:
            return msgspec.structs.replace(gap, asked=gap.asked + told, asked_ms=now_ms)

        self._mark(piece, change)

    def lost(self, piece: Gap) -> None:
        """See `Archive`."""
        self._mark(piece, lambda gap: msgspec.structs.replace(gap, lost=True))

    def _mark(self, gap: Gap, change: Callable[[Gap], Gap]) -> None:
        with self._turn:
            tid, sid = self._session(gap.table, gap.session)
            with self._sql.transaction():
                self._sql.lock({tid})
                rows = self._sql.rows(
                    f"SELECT {_GAP_COLUMNS} FROM gaps WHERE sid = ? AND last >= ? AND first <= ?"  # noqa: S608
                    " ORDER BY first",
                    (sid, gap.first, gap.last),
                )
                before = [gap_of(gap.table, gap.session, row) for row in rows]
                self._replace_gaps(sid, before, mark(before, gap, change))

    # --- reading ---

    def search(
        self, query: Query, *, limit: int = 50, cursor: str | None = None, oldest: bool = False
    ) -> Page:
        """See `Archive`."""
        limit = max(1, min(limit, MOST_HANDS))
        with self._turn:
            return reading.search(self._sql, query, limit, cursor, oldest=oldest)

    def hand(self, table: str, hand: int, journal: str | None = None) -> HandRecord | None:
        """See `Archive`."""
        with self._turn:
            return reading.hand(self._sql, table, hand, journal)

    def beside(self, table: str, place: Place) -> tuple[Place | None, Place | None]:
        """See `Archive`."""
        with self._turn:
            return reading.beside(self._sql, table, place)

    def counts(self, period: Period, *, dealers: bool = False) -> Counts:
        """See `Archive`."""
        with self._turn:
            return counting.counts(self._sql, period, dealers=dealers)

    def reach(self) -> tuple[int, int] | None:
        """See `Archive`."""
        with self._turn:
            return counting.reach(self._sql)

    def stop(self) -> None:
        """See `Archive`."""
        self._sql.stop()

    def tables(self) -> tuple[str, ...]:
        """See `Archive`."""
        with self._turn:
            return tuple(sorted(name for (name,) in self._sql.rows("SELECT name FROM tables")))

    # --- forgetting ---

    def forget(self, *, events_ms: int, findings_ms: int, most: int = 50) -> int:
        """See `Archive`."""
        with self._turn:
            return self._forget(events_ms, findings_ms, most)

    def _forget(self, events_ms: int, findings_ms: int, most: int) -> int:
        of_journals.forget(self._sql, findings_ms)
        columns = "SELECT jid, hand, heard_at, body FROM hands WHERE heard_at < ?"
        order = " ORDER BY heard_at LIMIT ?"
        old = self._sql.rows(f"{columns}{order}", (findings_ms, most)) or self._sql.rows(
            f"{columns} AND events > 0{order}", (events_ms, most)
        )
        if not old:
            return 0
        with self._sql.transaction():
            self._sql.lock(self._tables_of({row[0] for row in old}))
            for jid, hand, heard_at, body in old:
                self._sql.run("DELETE FROM events WHERE jid = ? AND hand = ?", (jid, hand))
                if heard_at < findings_ms:
                    for name in ("terms", "findings", "people", "hands"):
                        self._sql.run(
                            f"DELETE FROM {name} WHERE jid = ? AND hand = ?",  # noqa: S608
                            (jid, hand),
                        )
                else:
                    short = msgspec.json.decode(body, type=KeptHand)
                    bare = msgspec.json.encode(msgspec.structs.replace(short, events=0)).decode()
                    self._sql.run(
                        "UPDATE hands SET events = 0, body = ? WHERE jid = ? AND hand = ?",
                        (bare, jid, hand),
                    )
        self._sql.tidy()
        return len(old)

    def _tables_of(self, jids: Collection[int]) -> set[int]:
        rows = self._sql.rows(
            f"SELECT tid FROM journals WHERE {reading.among('jid', jids)}"  # noqa: S608
        )
        return {tid for (tid,) in rows}

    def close(self) -> None:
        """See `Archive`."""
        with self._turn:
            self._sql.close()
