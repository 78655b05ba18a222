"""Players as a file of comma-separated values, as clubs have them: pure.

One of the first lines names the columns, in any order and in the club's language: `name`, and where
they are wanted `id`, `table`, `seat`, `paid`. Commas, semicolons or tabs are between them, as the
program of the club writes it. Other columns are left out; `csv_columns` knows which are meant.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping
from itertools import islice

import msgspec
from msgspec import Struct

from controller.contract.misfit import misfit
from controller.files.spreadsheet import Local, as_written, csv_text, safe
from controller.room.conduct import Conduct, Penalty
from controller.room.csv_columns import COLUMNS, FIRST, LAST, Header, header, plain, trimmed
from controller.room.entering import Entrant
from controller.room.incidents import Incident, Incidents
from controller.room.register import Player

EXPORTED = (*COLUMNS, "status", "chips")
GIVEN = (
    "time",
    "name",
    "id",
    "given",
    "amount",
    "reason",
    "by",
    "table",
    "seat",
    "hand",
    "served",
    "state",
)
"""The columns of warnings, penalties and what was seen."""
_YES = "yes y j o s true 1 x paid ja oui si wahr vrai verdadero bezahlt paye pagado"
_NO = "no n false 0 nein non falsch faux falso"
_PAID: Mapping[str, bool] = {
    "": False,
    **dict.fromkeys(_YES.split(), True),
    **dict.fromkeys(_NO.split(), False),
}
_NEEDS: Mapping[str, str] = {
    "name": "is no name: it takes one line of 80 characters at most",
    "id": "is no id: it takes 40 characters at most, and no spaces",
    "table": "is no table: it takes letters, digits, '.', '-' and '_'",
    "seat": "is no seat: they go from 1 to 10",
}


class CsvError(ValueError):
    """A file that can't be taken in; the text is one line, with the number of the file's."""


class PlayersFile(Struct, frozen=True):
    """What a file has: its players, each with its line, and the columns that were left out."""

    players: tuple[Entrant, ...]
    left_out: tuple[str, ...] = ()


class _Row(Struct, frozen=True):
    line: int
    given: Mapping[str, str]


def read_players(data: bytes) -> PlayersFile:
    """The players of a file. Raises CsvError at the first fault."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise CsvError(f"line {line}: this is not UTF-8; save it as 'CSV UTF-8'") from None
    found = header(text)
    if found is None:
        if text.strip():
            raise CsvError("line 1: the column 'name' is missing")
        raise CsvError("line 1: there is no player in this file")
    _check(found)
    rows = _rows(text, found)
    if not rows:
        raise CsvError("line 1: there is no player in this file")
    return PlayersFile(tuple(map(_entrant, rows)), found.left_out)


def write_players(players: Iterable[Player], chips: Mapping[str, int]) -> str:
    """The players as such a file, with what has become of each, and the `chips` that are known, by
    the players' entries."""

    def row(each: Player) -> tuple[object, ...]:
        table, seat = ("", "") if each.at is None else (each.at.table, each.at.seat)
        paid = "yes" if each.paid else "no"
        has = chips.get(each.entry, "")
        return safe(each.name), each.id, table, seat, paid, each.status, has

    return csv_text(EXPORTED, map(row, players))


def write_conduct(conduct: Conduct, seen: Incidents, local: Local) -> str:
    """All warnings and penalties as such a file, and what tables saw as `finding` of its code, the
    first one first; `local` gives the house's time of a moment."""

    def row(one: Penalty | Incident) -> tuple[object, ...]:
        when = local(one.wall_ms).isoformat(sep=" ", timespec="seconds")
        who = when, safe(one.name), one.player
        where = one.table, one.seat, one.hand
        if isinstance(one, Incident):
            return *who, "finding", "", one.code, "", *where, "", one.outcome
        what = one.given, one.amount or "", safe(one.reason), one.by
        return *who, *what, *where, one.served, one.over or ("runs" if one.runs else "")

    lines: list[Penalty | Incident] = [*conduct.given, *seen]
    return csv_text(GIVEN, map(row, sorted(lines, key=lambda one: one.wall_ms)))


def _check(found: Header) -> None:
    """Raises CsvError where two columns are the same, or a seat has no table."""
    by: dict[str, str] = {}
    for column, name in zip(found.columns, found.names, strict=True):
        if column is None:
            continue
        other = by.get(column)
        if other is not None and plain(other) == plain(name):
            raise CsvError(f"line {found.lines}: the column '{column}' is there twice")
        if other is not None:
            raise CsvError(
                f"line {found.lines}: '{other}' and '{name}' are both the column '{column}'"
            )
        by[column] = name
    for one, needed in (("table", "seat"), ("seat", "table")):
        if one in by and needed not in by:
            raise CsvError(f"line {found.lines}: the column '{needed}' is missing")


def _rows(text: str, found: Header) -> list[_Row]:
    after = islice(io.StringIO(text, newline=""), found.lines, None)
    reader = csv.reader(after, delimiter=found.between, strict=True)
    count = len(found.columns)
    rows: list[_Row] = []
    try:
        for values in reader:
            cells, line = trimmed(values), found.lines + reader.line_num
            if not cells:
                continue
            if len(cells) > count:
                raise CsvError(f"line {line}: {len(cells)} values, but {count} columns")
            given = zip(found.columns, cells, strict=False)
            rows.append(_Row(line, _whole_name({c: cell for c, cell in given if c is not None})))
    except csv.Error as error:
        raise CsvError(f"line {found.lines + reader.line_num}: {error}") from None
    return rows


def _whole_name(given: dict[str, str]) -> dict[str, str]:
    """What was given, with a name of two columns as one. Beside `name`, which may be the first one
    or the last, there is at most one of the others."""
    parts = (given.pop(FIRST, ""), given.get("name", ""), given.pop(LAST, ""))
    return {**given, "name": " ".join(filter(None, parts))}


def _entrant(row: _Row) -> Entrant:
    given: dict[str, object] = {
        name: row.given[name] for name in ("name", "id", "table") if row.given.get(name)
    }
    given |= {"name": as_written(row.given["name"])} if "name" in given else {}
    if "name" not in given:
        raise CsvError(f"line {row.line}: a player without a name")
    seat = row.given.get("seat", "")
    if seat:
        if not seat.isascii() or not seat.isdecimal():
            raise CsvError(f"line {row.line}: '{seat[:20]}' is no seat")
        given["seat"] = int(seat)
    if ("table" in given) != ("seat" in given):
        raise CsvError(f"line {row.line}: a seat needs its table, and a table a seat")
    said = row.given.get("paid", "")
    paid = plain(said)
    if paid not in _PAID:
        raise CsvError(f"line {row.line}: '{said[:20]}' is neither yes nor no")
    try:
        return msgspec.convert({**given, "paid": _PAID[paid], "line": row.line}, Entrant)
    except msgspec.ValidationError as error:
        wrong = misfit(error, Entrant)
        column = str(wrong.at[0]) if wrong.at else ""
        value = "".join(filter(str.isprintable, row.given.get(column, "")))
        needs = _NEEDS.get(column, wrong.words)
        raise CsvError(f"line {row.line}: '{value[:40]}' {needs}") from None
