"""`cutcard export`: hands of the room's history as files."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import TextIO

from controller.archive.files import COLUMNS, findings_csv, json_lines
from controller.archive.kept import MOST_HANDS, Archive, ArchiveError, HandRecord, Query
from controller.archive.opening import open_archive
from controller.archive.phh import InexpressibleError, phh
from controller.files.toml_file import ConfigError
from controller.process.arguments import ArgumentParser
from controller.room.commands.here import room_here

_USER_MISTAKE = 2
_SAY_EVERY = 500
_LEFT_OUT = "left-out.txt"


class ExportError(Exception):
    """What was asked for can't be done; one line for the user."""


def main(argv: Sequence[str]) -> int:
    """Run the command; returns the exit status: 0, 1 where there is no such hand or the history
    can't be read, or 2 for a mistake of the user's."""
    try:
        return _export(_parser().parse_args(argv))
    except (ExportError, ConfigError) as error:
        return _fail(str(error), _USER_MISTAKE)
    except ArchiveError as error:
        return _fail(str(error), 1)
    except OSError as error:
        if isinstance(error, BrokenPipeError):
            raise
        return _fail(f"{error.filename or 'standard output'}: {error.strerror}", 1)


def _export(given: argparse.Namespace) -> int:
    store = given.store
    if store is None:
        history = room_here(given.config).history
        if history is None:
            raise ExportError("[history] store: 'none' keeps no history")
        store = history.store
    archive = open_archive(store, read_only=True)
    try:
        if given.what == "hand":
            record = archive.hand(given.table, given.hand, given.journal)
            if record is None:
                return _fail(f"no hand {given.hand} is known at table {given.table}", 1)
            records, count = iter((record,)), 1
        else:
            keys = _night(archive, given)
            records, count = _records(archive, keys), len(keys)
        return _write(records, count, given.form, given.output)
    finally:
        archive.close()


def _night(archive: Archive, given: argparse.Namespace) -> list[tuple[str, int, str]]:
    """Table, number and journal of each hand, the oldest first."""
    if given.table is not None and given.table not in archive.tables():
        raise ExportError(f"--table: no table '{given.table[:40]}' is known")
    query = Query(table=given.table, since_ms=_ms(given.since), until_ms=_ms(given.until))
    keys: list[tuple[str, int, str]] = []
    cursor = None
    while True:
        page = archive.search(query, limit=MOST_HANDS, cursor=cursor)
        keys += [(hand.table, hand.hand, hand.journal) for hand in page.hands]
        cursor = page.cursor
        if cursor is None:
            return keys[::-1]


def _records(archive: Archive, keys: Sequence[tuple[str, int, str]]) -> Iterator[HandRecord]:
    for done, (table, number, journal) in enumerate(keys, 1):
        record = archive.hand(table, number, journal)
        if record is not None:
            yield record
        if done % _SAY_EVERY == 0 and sys.stderr.isatty():
            sys.stderr.write(f"\r{done} of {len(keys)} hands")
            sys.stderr.flush()


def _write(records: Iterator[HandRecord], count: int, form: str, output: Path | None) -> int:
    if form == "phh":
        if output is not None and (output.is_dir() or (count > 1 and not output.suffix)):
            return _write_folder(records, output)
        return _write_phh(records, count, output)
    lines = _csv if form == "csv" else _json
    with _Target(output) as target:
        written = lines(records, target.file)
    _say(f"{written} hands" if form == "json" else f"{written} findings")
    return 0


def _csv(records: Iterator[HandRecord], out: TextIO) -> int:
    out.write(",".join(COLUMNS) + "\r\n")
    found = 0
    for record in records:
        out.write(findings_csv((record,)).split("\r\n", 1)[1])
        found += len(record.hand.findings)
    return found


def _json(records: Iterator[HandRecord], out: TextIO) -> int:
    count = 0
    for record in records:
        out.write(json_lines((record,)))
        count += 1
    return count


def _write_phh(records: Iterator[HandRecord], count: int, output: Path | None) -> int:
    """One file; with several hands each has a number in brackets before it (`.phhs`)."""
    left_out: list[str] = []
    written = 0
    with _Target(output) as target:
        for record in records:
            text = _phh(record, left_out)
            if text is not None:
                written += 1
                between = "\n" if written > 1 else ""
                head = f"{between}[{written}]\n" if count > 1 else ""
                target.file.write(f"{head}{text}")
        if output is None:
            target.file.writelines(f"# {line}\n" for line in left_out)
    beside = None if output is None else output.with_name(f"{output.name}.{_LEFT_OUT}")
    return _sum_up(written, left_out, beside)


def _write_folder(records: Iterator[HandRecord], folder: Path) -> int:
    folder.mkdir(parents=True, exist_ok=True)
    left_out: list[str] = []
    names: set[str] = set()
    for record in records:
        text, hand = _phh(record, left_out), record.hand
        if text is not None:
            name = f"{hand.table}-{hand.hand:06}"
            if name in names:
                name = f"{name}-{hand.journal or 'older'}"
            names.add(name)
            (folder / f"{name}.phh").write_text(text, encoding="utf-8")
    return _sum_up(len(names), left_out, folder / _LEFT_OUT)


def _phh(record: HandRecord, left_out: list[str]) -> str | None:
    try:
        return phh(record)
    except InexpressibleError as error:
        left_out.append(f"{record.hand.table} hand {record.hand.hand}: {error}")
        return None


def _sum_up(written: int, left_out: Sequence[str], beside: Path | None) -> int:
    where = ""
    if beside is not None:
        with suppress(FileNotFoundError):
            beside.unlink()
        if left_out:
            beside.write_text("".join(f"{line}\n" for line in left_out), encoding="utf-8")
            where = f", named in {beside}"
    _say(f"{written} hands written, {len(left_out)} that PHH can't express{where}")
    return 0


class _Target:
    """Standard output, or a file that is there when it is whole."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._part = None if path is None else path.with_name(f"{path.name}.part")
        self.file: TextIO = sys.stdout
        if self._part is not None:
            self.file = self._part.open("w", encoding="utf-8", newline="")

    def __enter__(self) -> _Target:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if self._path is None or self._part is None:
            self.file.flush()
            return
        self.file.close()
        if kind is None:
            self._part.replace(self._path)
        else:
            self._part.unlink()


def _ms(when: datetime | None) -> int | None:
    return None if when is None else int(when.timestamp() * 1_000)


def _when(text: str) -> datetime:
    try:
        return datetime.fromisoformat(text).astimezone()
    except (ValueError, OverflowError):
        raise argparse.ArgumentTypeError(
            f"'{text}' is not a time such as 2026-11-21 or 2026-11-21T18:30"
        ) from None


def _say(line: str) -> None:
    begin = "\r" if sys.stderr.isatty() else ""
    sys.stderr.write(f"{begin}cutcard export: {line}\n")


def _fail(fault: str, status: int) -> int:
    sys.stderr.write(f"cutcard export: {fault}\n")
    return status


def _parser() -> argparse.ArgumentParser:
    parser = ArgumentParser(
        prog="cutcard export",
        description="Exports hands from the room's history, also while the room "
        "runs. phh: cards and betting, for other programs; csv: "
        "findings, for a spreadsheet; json: everything, a line each.",
        epilog="Only cards that were public are named. Times without a zone are this machine's.",
    )
    what = parser.add_subparsers(dest="what", required=True, metavar="hand|night")
    hand = what.add_parser("hand", help="export one hand of a table")
    hand.add_argument("table", metavar="TABLE")
    hand.add_argument("hand", metavar="HAND", type=int)
    hand.add_argument(
        "--journal", help="of several hands of that number the one in this journal, not the newest"
    )
    night = what.add_parser("night", help="export all hands that began between two times")
    night.add_argument("--since", type=_when, required=True, metavar="TIME")
    night.add_argument("--until", type=_when, metavar="TIME", help="default: now")
    night.add_argument("--table", help="only this table")
    add: Callable[..., object]
    for each in (hand, night):
        add = each.add_argument
        add("--as", dest="form", choices=("phh", "csv", "json"), default="phh")
        add("-o", "--output", type=Path, metavar="FILE|FOLDER", help="default: standard output")
        add("--config", type=Path, metavar="FILE", help="the room's settings")
        add("--store", help="the history itself: a file, or postgresql://…")
    return parser
