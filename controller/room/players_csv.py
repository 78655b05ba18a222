"""Players as a file of comma-separated values, as clubs have them: pure.

The first line names the columns, in any order: `name`, and where they are wanted `id`, `table`,
`seat`, `paid`. Commas, semicolons or tabs are between them, as the program of the club writes it.
"""

from __future__ import annotations

import csv
import datetime
import io
from collections.abc import Iterable, Mapping, Sequence

import msgspec
from msgspec import Struct

from controller.contract.misfit import misfit
from controller.contract.observations import nearest
from controller.files.spreadsheet import as_written, csv_text, safe
from controller.room.conduct import Conduct, Penalty
from controller.room.entering import Entrant
from controller.room.incidents import Incident, Incidents
from controller.room.register import Player

COLUMNS = ("name", "id", "table", "seat", "paid")
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
_PAID: Mapping[str, bool] = {
    **dict.fromkeys(("yes", "y", "true", "1", "x", "paid", "ja", "oui", "si", "sí"), True),
    **dict.fromkeys(("no", "n", "false", "0", "", "nein", "non"), False),
}
_NEEDS: Mapping[str, str] = {
    "name": "is no name: it takes one line of 80 characters at most",
    "id": "is no id: it takes 40 characters at most, and no spaces",
    "table": "is no table: it takes letters, digits, '.', '-' and '_'",
    "seat": "is no seat: they go from 1 to 10",
}
_NOT_IMPORTED = ("status", "chips")
"""Columns of an exported file that are not taken in again."""


class CsvError(ValueError):
    """A file that can't be taken in; the text is one line, with the number of the file's."""


class _Row(Struct, frozen=True):
    line: int
    given: Mapping[str, str]


def read_players(data: bytes) -> tuple[Entrant, ...]:
    """The players of a file, each with its line. Raises CsvError at the first fault."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise CsvError(f"line {line}: this is not UTF-8; save it as 'CSV UTF-8'") from None
    rows = _rows(text)
    if not rows:
        raise CsvError("line 1: there is no player in this file")
    return tuple(_entrant(row) for row in rows)


def write_players(players: Iterable[Player], chips: Mapping[str, int]) -> str:
    """The players as such a file, with what has become of each, and the `chips` that are known, by
    the players' entries."""

    def row(each: Player) -> tuple[object, ...]:
        table, seat = ("", "") if each.at is None else (each.at.table, each.at.seat)
        paid = "yes" if each.paid else "no"
        has = chips.get(each.entry, "")
        return safe(each.name), each.id, table, seat, paid, each.status, has

    return csv_text(EXPORTED, map(row, players))


def write_conduct(conduct: Conduct, seen: Incidents, utc_offset_s: int) -> str:
    """All warnings and penalties as such a file, and what tables saw as `finding` of its code, the
    first one first, with the house's time."""
    zone = datetime.timezone(datetime.timedelta(seconds=utc_offset_s))

    def row(one: Penalty | Incident) -> tuple[object, ...]:
        at = datetime.datetime.fromtimestamp(one.wall_ms // 1_000, zone)
        when = at.isoformat(sep=" ", timespec="seconds")
        who = when, safe(one.name), one.player
        where = one.table, one.seat, one.hand
        if isinstance(one, Incident):
            return *who, "finding", "", one.code, "", *where, "", one.outcome
        what = one.given, one.amount or "", safe(one.reason), one.by
        return *who, *what, *where, one.served, one.over or ("runs" if one.runs else "")

    lines: list[Penalty | Incident] = [*conduct.given, *seen]
    return csv_text(GIVEN, map(row, sorted(lines, key=lambda one: one.wall_ms)))


def _rows(text: str) -> list[_Row]:
    first = text.split("\n", 1)[0]
    between = max(",;\t", key=first.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=between, strict=True)
    names: list[str] = []
    rows: list[_Row] = []
    try:
        for values in reader:
            cells = [each.strip() for each in values]
            while cells and not cells[-1]:  # of a column that was emptied
                cells.pop()
            if not cells:
                continue
            if not names:
                names = _names(cells, reader.line_num)
            elif len(cells) > len(names):
                raise CsvError(
                    f"line {reader.line_num}: {len(cells)} values, but {len(names)} columns"
                )
            else:
                rows.append(_Row(reader.line_num, dict(zip(names, cells, strict=False))))
    except csv.Error as error:
        raise CsvError(f"line {reader.line_num}: {error}") from None
    return rows


def _names(cells: Sequence[str], line: int) -> list[str]:
    names = [each.casefold() for each in cells]
    for name in names:
        if name not in (*COLUMNS, *_NOT_IMPORTED):
            raise CsvError(
                f"line {line}: there is no column '{name[:40]}'{nearest(name[:40], COLUMNS)}"
                f" (there are {', '.join(COLUMNS)})"
            )
        if names.count(name) > 1:
            raise CsvError(f"line {line}: the column '{name}' is there twice")
    missing = [name for name in _needed(names) if name not in names]
    if missing:
        raise CsvError(f"line {line}: the column '{missing[0]}' is missing")
    return names


def _needed(names: Sequence[str]) -> tuple[str, ...]:
    return ("name", "table", "seat") if {"table", "seat"} & {*names} else ("name",)


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
    paid = row.given.get("paid", "").casefold()
    if paid not in _PAID:
        raise CsvError(f"line {row.line}: '{paid[:20]}' is neither yes nor no")
    try:
        return msgspec.convert({**given, "paid": _PAID[paid], "line": row.line}, Entrant)
    except msgspec.ValidationError as error:
        wrong = misfit(error, Entrant)
        column = str(wrong.at[0]) if wrong.at else ""
        said = "".join(filter(str.isprintable, row.given.get(column, "")))
        needs = _NEEDS.get(column, wrong.words)
        raise CsvError(f"line {row.line}: '{said[:40]}' {needs}") from None
