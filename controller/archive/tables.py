"""The archive's tables: one set for SQLite and PostgreSQL.

`sessions.top` is the last event that a session is known to have come to; of 1 to `top` those
are missing that lie in `gaps`. `hands`, `findings` and `people` follow from `events` and are
made anew from them whenever one is added; `body` is the value as JSON. `people.deals`: the name is
the hand's dealer. `heard_at` is the
archive's own time of that: what is too old goes by it, since a table's clock may be wrong.
"""

from __future__ import annotations

SCHEMA_VERSION = 1

TABLES = (
    "CREATE TABLE meta(key TEXT PRIMARY KEY, value BIGINT NOT NULL)",
    "CREATE TABLE tables(tid {identity}, name TEXT NOT NULL UNIQUE)",
    "CREATE TABLE sessions(sid {identity}, tid BIGINT NOT NULL, name TEXT NOT NULL,"
    " top BIGINT NOT NULL, UNIQUE (tid, name))",
    "CREATE TABLE events(sid BIGINT NOT NULL, seq BIGINT NOT NULL, tid BIGINT NOT NULL,"
    " hand BIGINT NOT NULL, finding BIGINT, at BIGINT NOT NULL, kind TEXT NOT NULL,"
    " body TEXT NOT NULL, by_whom TEXT, reason TEXT, PRIMARY KEY (sid, seq)){clustered}",
    "CREATE INDEX events_hand ON events(tid, hand)",
    "CREATE INDEX events_finding ON events(tid, finding) WHERE finding IS NOT NULL",
    "CREATE TABLE gaps(sid BIGINT NOT NULL, first BIGINT NOT NULL, last BIGINT NOT NULL,"
    " since BIGINT NOT NULL, asked BIGINT NOT NULL, asked_at BIGINT NOT NULL,"
    " lost BIGINT NOT NULL, PRIMARY KEY (sid, first)){clustered}",
    "CREATE TABLE hands(tid BIGINT NOT NULL, hand BIGINT NOT NULL, first_at BIGINT NOT NULL,"
    " last_at BIGINT NOT NULL, events BIGINT NOT NULL, dealer TEXT, phase TEXT NOT NULL,"
    " redeal_of BIGINT, heard_at BIGINT NOT NULL, words TEXT NOT NULL, body TEXT NOT NULL,"
    " PRIMARY KEY (tid, hand))",
    "CREATE INDEX hands_newest ON hands(first_at, tid, hand)",
    "CREATE INDEX hands_table ON hands(tid, first_at, hand)",
    "CREATE INDEX hands_number ON hands(hand)",
    "CREATE INDEX hands_oldest ON hands(heard_at)",
    "CREATE INDEX hands_full ON hands(heard_at) WHERE events > 0",
    "CREATE INDEX hands_redealt ON hands(tid, redeal_of) WHERE redeal_of IS NOT NULL",
    "CREATE TABLE findings(tid BIGINT NOT NULL, id BIGINT NOT NULL, hand BIGINT NOT NULL,"
    " code TEXT NOT NULL, priority BIGINT NOT NULL, basis TEXT NOT NULL,"
    " opened_at BIGINT NOT NULL, closed_at BIGINT, how TEXT, outcome TEXT NOT NULL,"
    " rulebook TEXT NOT NULL, by_whom TEXT, reason TEXT, asked BIGINT NOT NULL,"
    " words TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (tid, id))",
    "CREATE INDEX findings_hand ON findings(tid, hand)",
    "CREATE INDEX findings_code ON findings(code, tid, hand)",
    "CREATE INDEX findings_opened ON findings(opened_at)",
    "CREATE TABLE people(name TEXT NOT NULL, tid BIGINT NOT NULL, hand BIGINT NOT NULL,"
    " deals BIGINT NOT NULL, PRIMARY KEY (name, tid, hand)){clustered}",
    "CREATE INDEX people_hand ON people(tid, hand)",
)
"""`{identity}` numbers rows by itself, `{clustered}` keeps a table in its key's order."""

HEADS = (
    "CREATE TABLE heads(tid BIGINT NOT NULL, session TEXT NOT NULL, chain TEXT NOT NULL,"
    " hand BIGINT NOT NULL, n BIGINT NOT NULL, link TEXT NOT NULL, boxes BIGINT NOT NULL,"
    " sealed TEXT NOT NULL, at BIGINT NOT NULL, heard_at BIGINT NOT NULL,"
    " PRIMARY KEY (tid, chain, n, link, boxes, sealed))",
    "CREATE INDEX heads_oldest ON heads(heard_at)",
)
"""Histories from before have none of it."""
