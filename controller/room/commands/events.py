"""The command `cutcard events`: the events of a room, and one as a file.

It reads what the room remembers. New ones and closing are the running room's own, on its page.
"""

from __future__ import annotations

import argparse
import secrets
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import nullcontext, suppress
from pathlib import Path

from controller.contract.observations import nearest
from controller.files.toml_file import ConfigError
from controller.process.arguments import ArgumentParser
from controller.room import event_file
from controller.room.acts import ActError
from controller.room.asking import AskError, read
from controller.room.commands.here import room_here
from controller.room.event_stores import EventStores
from controller.room.record import Record
from controller.room.room_time import RoomClocks, readings
from controller.room.store import BEAT_SUFFIX, RoomStore, StoreError, StoreHeldError, read_beat
from controller.room.table_split import FIRST
from controller.storage.database import DatabaseError

_NO_ROOM = "{}: no room has been there yet; start it once"
EPILOG = """\
examples:
  cutcard events list
  cutcard events export turbo turbo.json
  cutcard events import next turbo.json --template --name "Turbo 2"
  cutcard events close turbo

The first event has no ID: cutcard events export "" main.json. While the room runs, events are made
and closed on its page /events.
"""


def main(argv: Sequence[str]) -> int:
    """Run the command. Returns 0, 1 for what may pass (the room runs), or 2 for a mistake in what
    was given."""
    args = _parser().parse_args(argv)
    try:
        store = room_here(args.config, args.store).store
        args.run(args, store)
    except (ConfigError, ActError) as error:
        return _fail(str(error), 2)
    except (AskError, StoreError, DatabaseError) as error:
        return _fail(str(error), 1)
    except OSError as error:
        return _fail(f"{error.filename}: {error.strerror}", 2)
    return 0


def _list(_args: argparse.Namespace, store: Path) -> None:
    records = _records(store)
    width = max((len(each) for each in records), default=0)
    for event, record in records.items():
        tables = ", ".join(each.table for each in record.register.tables)
        parts = (_name(event, record), _state(record), tables and f"tables {tables}")
        sys.stdout.write(f"{event:{width}}  {' · '.join(filter(None, parts))}\n")


def _state(record: Record) -> str:
    clock = record.clock
    if clock.over:
        return "ended"
    word = "running" if clock.runs else "paused" if clock.begun else "ready"
    return f"{word}, level {clock.level}"


def _export(args: argparse.Namespace, store: Path) -> None:
    file = _file(store, args.event)
    record = read(file)
    content = event_file.written(
        record,
        _name(args.event, record),
        now_ms=_now_ms(store, file),
        wall_ms=time.time_ns() // 1_000_000,
    )
    if args.to is None:
        sys.stdout.write(content.decode())
    else:
        with args.to.open("xb") as new:
            new.write(content)


def _import(args: argparse.Namespace, store: Path) -> None:
    content = sys.stdin.buffer.read() if str(args.file) == "-" else args.file.read_bytes()
    file = event_file.read(content)
    wanted = event_file.asked(
        {"id": args.event, "name": args.name or "", "template": args.template}
    )
    room, stores = _locked(store), EventStores(store)
    try:
        if args.event in _files(store):
            raise ActError(f"there is an event {args.event} already")
        begin = Record(clock=file.record.clock, lineage=secrets.token_hex(8))
        others = _tables(_records(store))
        record, left_out = event_file.as_new(wanted, file, begin, others)
        own = stores.open(args.event)
        try:
            own.save(record, None, RoomClocks(readings(), room.beat).beat(""))
        except DatabaseError:
            stores.discard(args.event)
            raise
        finally:
            own.close()
    finally:
        room.close()
    if left_out:
        sys.stdout.write(f"not taken over, other events have them: {', '.join(left_out)}\n")


def _close(args: argparse.Namespace, store: Path) -> None:
    file = _file(store, args.event)
    if args.event == FIRST:
        raise ActError("the first event is always there")
    room = _locked(store)
    try:
        record = read(file)
        if record.clock.runs and not record.clock.over:
            raise ActError(f"the clock of {_name(args.event, record)} runs: stop it first")
        sys.stdout.write(f"{EventStores(store).set_aside(args.event)}\n")
    finally:
        room.close()


def _locked(store: Path) -> RoomStore:
    """The room's store, for as long as no room has it."""
    if not store.exists():
        raise AskError(_NO_ROOM.format(store))
    try:
        return RoomStore.open(store)
    except StoreHeldError:
        raise AskError("the room runs: do this on its page /events") from None


def _now_ms(store: Path, file: Path) -> int:
    """The room's time now where it runs, else when it was last there."""
    beat = read_beat(file.with_name(file.name + BEAT_SUFFIX))
    if beat is None:
        return 0
    try:
        RoomStore.open(store).close()
    except StoreHeldError:
        return RoomClocks(readings(), beat).now_ms()
    return beat.room_ms


def _files(store: Path) -> Mapping[str, Path]:
    """The stores of all events, by their ids."""
    stores = EventStores(store)
    return {FIRST: store, **{each: stores.file(each) for each in stores.ids()}}


def _records(store: Path) -> Mapping[str, Record]:
    """What is remembered of each event. Of a first one with which nobody has done anything that is
    nothing."""
    if not store.exists():
        raise AskError(_NO_ROOM.format(store))
    found: dict[str, Record] = {}
    for event, file in _files(store).items():
        with suppress(AskError) if event == FIRST else nullcontext():
            found[event] = read(file)
    return found


def _file(store: Path, event: str) -> Path:
    files = _files(store)
    if event not in files:
        raise ActError(f"there is no event {event!r}{nearest(event, files)}")
    return files[event]


def _tables(records: Mapping[str, Record]) -> Mapping[str, str]:
    """Which tables are taken, and by which event's name."""
    return {
        each.table: _name(event, record)
        for event, record in records.items()
        for each in record.register.tables
    }


def _name(event: str, record: Record) -> str:
    return record.tournament.name or event or "the first event"


def _fail(text: str, status: int) -> int:
    sys.stderr.write(f"cutcard events: {text}\n")
    return status


def _parser() -> ArgumentParser:
    parser = ArgumentParser(
        prog="cutcard events",
        description="The events of a room, and one as a file. The room may be running or not; its "
        "page /events does the same.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(required=True, metavar="list|export|import|close")
    every = ArgumentParser(add_help=False)
    every.add_argument("--config", type=Path, metavar="FILE", help="the room's settings")
    every.add_argument("--store", type=Path, metavar="FILE", help="the room's store")
    listing = commands.add_parser("list", parents=[every], help="list them, the first one first")
    listing.set_defaults(run=_list)
    given = commands.add_parser("export", parents=[every], help="write one as a file")
    given.add_argument("event", metavar="ID")
    given.add_argument("to", type=Path, nargs="?", metavar="FILE", help="a new file")
    given.set_defaults(run=_export)
    taken = commands.add_parser("import", parents=[every], help="make one of a file")
    taken.add_argument("event", metavar="ID", help="small letters, digits and '-'")
    taken.add_argument("file", type=Path, metavar="FILE", help="- is standard input")
    taken.add_argument("--name", metavar="TEXT", help="default: that in the file")
    taken.add_argument("--template", action="store_true", help="only what is set: nobody enters")
    taken.set_defaults(run=_import)
    closing = commands.add_parser("close", parents=[every], help="set the file of one aside")
    closing.add_argument("event", metavar="ID")
    closing.set_defaults(run=_close)
    return parser
