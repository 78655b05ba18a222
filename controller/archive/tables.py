"""The archive's tables: one set for SQLite and PostgreSQL.

Hands and findings are numbered by a table's journal, so they are told apart by that (`jid`).
`sessions.top` is the last event that a session is known to have come to; of 1 to `top` those
are missing that lie in `gaps`. `hands`, `findings` and `people` follow from `events` and are
made anew from them whenever one is added; `body` is the value as JSON. `people.deals`: the name is
the hand's dealer. `terms` are what its words, and those of its findings, are found by; `finding`
is 0 for the hand's own. `heard_at` is the
archive's own time of that: what is too old goes by it, since a table's clock may be wrong.
"""

from __future__ import annotations

SCHEMA_VERSION = 3

_HEADS = (
    "CREATE TABLE heads(tid BIGINT NOT NULL, session TEXT NOT NULL, chain TEXT NOT NULL,"
    " hand BIGINT NOT NULL, n BIGINT NOT NULL, link TEXT NOT NULL, boxes BIGINT NOT NULL,"
    " sealed TEXT NOT NULL, at BIGINT NOT NULL, heard_at BIGINT NOT NULL,"
    " PRIMARY KEY (tid, chain, n, link, boxes, sealed))",
    "CREATE INDEX heads_oldest ON heads(heard_at)",
)
_TERMS = (
    "CREATE TABLE terms(term TEXT{bytewise} NOT NULL, jid BIGINT NOT NULL, hand BIGINT NOT NULL,"
    " finding BIGINT NOT NULL, PRIMARY KEY (term, jid, hand, finding)){clustered}",
    "CREATE INDEX terms_hand ON terms(jid, hand, finding, term)",
)
_JOURNALS = (
    "CREATE TABLE journals(jid {identity}, tid BIGINT NOT NULL, name TEXT NOT NULL,"
    " UNIQUE (tid, name))"
)

TABLES = (
    "CREATE TABLE meta(key TEXT PRIMARY KEY, value BIGINT NOT NULL)",
    "CREATE TABLE tables(tid {identity}, name TEXT NOT NULL UNIQUE)",
    _JOURNALS,
    "CREATE TABLE sessions(sid {identity}, tid BIGINT NOT NULL, name TEXT NOT NULL,"
    " top BIGINT NOT NULL, UNIQUE (tid, name))",
    "CREATE TABLE events(sid BIGINT NOT NULL, seq BIGINT NOT NULL, jid BIGINT NOT NULL,"
    " hand BIGINT NOT NULL, finding BIGINT, at BIGINT NOT NULL, kind TEXT NOT NULL,"
    " body TEXT NOT NULL, by_whom TEXT, reason TEXT, PRIMARY KEY (sid, seq)){clustered}",
    "CREATE INDEX events_hand ON events(jid, hand)",
    "CREATE INDEX events_finding ON events(jid, finding) WHERE finding IS NOT NULL",
    "CREATE TABLE gaps(sid BIGINT NOT NULL, first BIGINT NOT NULL, last BIGINT NOT NULL,"
    " since BIGINT NOT NULL, asked BIGINT NOT NULL, asked_at BIGINT NOT NULL,"
    " lost BIGINT NOT NULL, PRIMARY KEY (sid, first)){clustered}",
    "CREATE TABLE hands(jid BIGINT NOT NULL, hand BIGINT NOT NULL, first_at BIGINT NOT NULL,"
    " last_at BIGINT NOT NULL, events BIGINT NOT NULL, dealer TEXT, phase TEXT NOT NULL,"
    " redeal_of BIGINT, heard_at BIGINT NOT NULL, words TEXT NOT NULL, body TEXT NOT NULL,"
    " PRIMARY KEY (jid, hand))",
    "CREATE INDEX hands_newest ON hands(first_at, jid, hand)",
    "CREATE INDEX hands_table ON hands(jid, first_at, hand)",
    "CREATE INDEX hands_number ON hands(hand)",
    "CREATE INDEX hands_oldest ON hands(heard_at)",
    "CREATE INDEX hands_full ON hands(heard_at) WHERE events > 0",
    "CREATE INDEX hands_redealt ON hands(jid, redeal_of) WHERE redeal_of IS NOT NULL",
    "CREATE TABLE findings(jid BIGINT NOT NULL, id BIGINT NOT NULL, hand BIGINT NOT NULL,"
    " code TEXT NOT NULL, priority BIGINT NOT NULL, basis TEXT NOT NULL,"
    " opened_at BIGINT NOT NULL, closed_at BIGINT, how TEXT, outcome TEXT NOT NULL,"
    " rulebook TEXT NOT NULL, by_whom TEXT, reason TEXT, asked BIGINT NOT NULL,"
    " words TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (jid, id))",
    "CREATE INDEX findings_hand ON findings(jid, hand)",
    "CREATE INDEX findings_code ON findings(code, jid, hand)",
    "CREATE INDEX findings_opened ON findings(opened_at)",
    "CREATE TABLE people(name TEXT NOT NULL, jid BIGINT NOT NULL, hand BIGINT NOT NULL,"
    " deals BIGINT NOT NULL, PRIMARY KEY (name, jid, hand)){clustered}",
    "CREATE INDEX people_hand ON people(jid, hand)",
    *_TERMS,
    *_HEADS,
)
"""`{identity}` numbers rows by itself, `{clustered}` keeps a table in its key's order, and text
that is `{bytewise}` is in the order of its bytes."""

HEADS = _HEADS
"""What of version 1 some have, which say so in `meta` by `heads`."""

FROM_1 = (
    _JOURNALS,
    "ALTER TABLE events RENAME COLUMN tid TO jid",
    "ALTER TABLE hands RENAME COLUMN tid TO jid",
    "ALTER TABLE findings RENAME COLUMN tid TO jid",
    "ALTER TABLE people RENAME COLUMN tid TO jid",
    "CREATE INDEX IF NOT EXISTS findings_opened ON findings(opened_at)",
)
"""What makes the tables of version 1, which did not know of journals, those of version 2."""

FROM_2 = _TERMS
"""What version 2 had not: a search read the words of every hand."""


def replacing(table: str, columns: str, values: str) -> tuple[str, ...]:
    """What gives a table its form of today: of each row these `columns` are these `values` of the
    one before."""
    made = [each for each in TABLES if f" {table}(" in each]
    named = [each.split()[2] for each in made if each.startswith("CREATE INDEX ")]
    return (
        *(f"DROP INDEX IF EXISTS {name}" for name in named),
        f"ALTER TABLE {table} RENAME TO {table}_before",
        *made,
        f"INSERT INTO {table}({columns}) SELECT {values} FROM {table}_before",  # noqa: S608
        f"DROP TABLE {table}_before",
    )
