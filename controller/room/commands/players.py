"""The command `cutcard players`: who plays in the room's tournament, and where each one sits.

It asks the room, which may be running or not, and reads what it remembers.
"""

from __future__ import annotations

import argparse
import re
import secrets
import sys
from collections.abc import Sequence
from pathlib import Path

import msgspec

from controller.contract.messages import Actor
from controller.contract.observations import nearest
from controller.files.toml_file import ConfigError
from controller.process.arguments import ArgumentParser
from controller.room.acts import ActError
from controller.room.asking import AskError, ask, read
from controller.room.commands.here import room_here, user
from controller.room.event_stores import EventStores
from controller.room.players_csv import CsvError, read_players, write_players
from controller.room.register import Player, Register
from controller.room.seat_draw import seats

_TABLE = re.compile(r"(?P<table>[^=]+)=(?P<seats>[0-9]{1,2})")
_MOST_BYTES = 5_000_000

EPILOG = """\
examples:
  cutcard players tables T1=9 T2=9 T3=8
  cutcard players import entries.csv
  cutcard players add "Ann Lee" --paid
  cutcard players apart "Ann Lee" "Bob Lee"
  cutcard players draw
  cutcard players list --out
  cutcard players export > players.csv

A file has a line of names of its columns: name, and as far as it has them id, table, seat, paid; or
the German, Spanish or French words for them. Other columns are left out, and named.
"""


class _MistakeError(ValueError):
    """What was given can't be done; the text is one line."""


def main(argv: Sequence[str]) -> int:
    """Run the command. Returns 0, 1 for what may pass (the room does not answer), or 2 for a
    mistake in what was given, or what the room refuses."""
    args = _parser().parse_args(argv)
    try:
        store = room_here(args.config, args.store).store
        store = _of_event(store, args.event) if args.event else store
        args.run(args, store)
    except (ConfigError, CsvError, ActError, _MistakeError) as error:
        return _fail(str(error), 2)
    except AskError as error:
        return _fail(str(error), 1)
    return 0


def _of_event(room: Path, event: str) -> Path:
    """The store of an event beside the room's first one."""
    stores = EventStores(room)
    if event not in stores.ids():
        raise _MistakeError(f"there is no event {event!r}{nearest(event, stores.ids())}")
    return stores.file(event)


def _list(args: argparse.Namespace, store: Path) -> None:
    register = read(store).register
    players = [each for each in register.players if (each.status == "out") == args.out]
    if args.json:
        for each in players:
            _line(each)
        return
    width = max((len(each.name) for each in players), default=0)
    longest = max((len(each.id) for each in players), default=0)
    for each in players:
        _say(f"{each.name:{width}}  {each.id:{longest}}  {_where(each)}{_unpaid(each)}")
    _say(_summary(register))


def _where(player: Player) -> str:
    if player.at is None:
        return "out" if player.status == "out" else "no seat"
    away = f", {player.status}" if player.status != "seated" else ""
    return f"table {player.at.table}, seat {player.at.seat}{away}"


def _unpaid(player: Player) -> str:
    return "" if player.paid else ", not paid"


def _summary(register: Register) -> str:
    players = register.players
    left = sum(each.status != "out" for each in players)
    waiting = len(register.without_seat())
    seat = f", {waiting} without a seat" if waiting else ""
    return f"{len(players)} entered, {left} left{seat}; {len(register.free())} seats free"


def _import(args: argparse.Namespace, store: Path) -> None:
    try:
        data = sys.stdin.buffer.read() if str(args.file) == "-" else args.file.read_bytes()
    except OSError as error:
        raise _MistakeError(f"{args.file}: {error.strerror}") from None
    if len(data) > _MOST_BYTES:
        raise _MistakeError(f"{args.file}: more than {_MOST_BYTES:,} bytes")
    try:
        file = read_players(data)
        after = _ask(store, "import", players=msgspec.to_builtins(file.players))
    except (CsvError, ActError) as error:
        raise _MistakeError(f"{args.file}: {error}; nothing was imported") from None
    count = len(file.players)
    left = f"; left out: {', '.join(file.left_out)}" if file.left_out else ""
    line = f"{count} player{'' if count == 1 else 's'} imported{left}. {_summary(after)}"
    _done(args, line, imported=count, left_out=file.left_out)


def _export(args: argparse.Namespace, store: Path) -> None:
    text = write_players(read(store).register.players, {})  # what tables show is not kept
    if args.to is None:
        sys.stdout.write(text)
        return
    try:
        with args.to.open("x", encoding="utf-8", newline="") as file:
            file.write(text)
    except OSError as error:
        raise _MistakeError(f"{args.to}: {error.strerror}") from None


def _add(args: argparse.Namespace, store: Path) -> None:
    given = {"id": args.id, "table": args.table, "seat": args.seat}
    known = {name: value for name, value in given.items() if value is not None}
    after = _ask(store, "enter", name=args.name, paid=args.paid, **known)
    player = after.players[-1]
    _done(args, f"{player.name} has entered: {player.id}, {_where(player)}", id=player.id)


def _tables(args: argparse.Namespace, store: Path) -> None:
    tables: list[dict[str, object]] = []
    for each in args.tables:
        found = _TABLE.fullmatch(each)
        if found is None:
            raise _MistakeError(f"'{each[:40]}' is not a table and its seats, such as T1=9")
        tables.append({"table": found["table"], "seats": int(found["seats"])})
    after = _ask(store, "tables", tables=tables)
    _done(args, f"{len(after.tables)} tables, {sum(t.seats for t in after.tables)} seats")


def _draw(args: argparse.Namespace, store: Path) -> None:
    seed = secrets.token_hex(8) if args.seed is None else args.seed
    after = _ask(store, "draw", seed=seed)
    drawn = after.draws[-1]
    if args.json:
        _line(drawn)
        return
    for player, at in zip(drawn.draw.players, drawn.given, strict=True):
        _say(f"{after.by_id[player].name}: table {at.table}, seat {at.seat}")
    _say(f"drawn with the seed {drawn.draw.seed}; `cutcard players draws` checks it")


def _draws(args: argparse.Namespace, store: Path) -> None:
    register = read(store).register
    wrong = 0
    for drawn in register.draws:
        is_so = seats(drawn.draw) == drawn.given
        wrong += not is_so
        if args.json:
            _line({**msgspec.to_builtins(drawn), "checked": is_so})
        else:
            word = "is what its seed gives" if is_so else "IS NOT WHAT ITS SEED GIVES"
            _say(f"seed {drawn.draw.seed}: {len(drawn.given)} seats, {word}")
    if not register.draws and not args.json:
        _say("nothing has been drawn")
    if wrong:
        raise _MistakeError(f"{wrong} draws are not what their seeds give")


def _apart(args: argparse.Namespace, store: Path) -> None:
    register = read(store).register
    if not args.players:
        for group in register.apart:
            if args.json:
                _line(group)
            else:
                _say(_names(register, group))
        return
    ids = [_meant(register, each).id for each in args.players]
    _ask(store, "apart", players=ids, together=args.together)
    says = "may be drawn to one table again" if args.together else "are not drawn to one table"
    _done(args, f"{_names(register, ids)} {says}", players=ids)


def _names(register: Register, ids: Sequence[str]) -> str:
    return ", ".join(register.by_id[each].name for each in ids)


def _meant(register: Register, said: str) -> Player:
    """The player of this id, or else of this name."""
    if said in register.by_id:
        return register.by_id[said]
    same = [each for each in register.players if each.name.casefold() == said.casefold()]
    if len(same) > 1:
        raise _MistakeError(f"more than one is called {said}: say the id")
    if not same:
        raise _MistakeError(f"nobody is called {said}, and nobody has that id")
    return same[0]


def _ask(store: Path, name: str, /, **fields: object) -> Register:
    """The register after an act. The user of this machine asks for it."""
    actor = msgspec.convert(f"{user()} (cutcard players)"[:80], Actor)
    return ask(store, name, {**fields, "actor": actor}).register


def _done(args: argparse.Namespace, line: str, **fields: object) -> None:
    if args.json:
        _line({"done": True, **fields})
    else:
        _say(line)


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")


def _line(fields: object) -> None:
    sys.stdout.write(msgspec.json.encode(fields).decode() + "\n")


def _fail(text: str, status: int) -> int:
    sys.stderr.write(f"cutcard players: {text}\n")
    return status


def _parser() -> ArgumentParser:
    parser = ArgumentParser(
        prog="cutcard players",
        description="Who plays in the room's tournament, and where each one sits. The room may be "
        "running or not; its page /players does the same.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(
        required=True, metavar="list|import|export|add|tables|apart|draw|draws"
    )
    every = ArgumentParser(add_help=False)
    every.add_argument("--config", type=Path, metavar="FILE", help="the room's settings")
    every.add_argument("--store", type=Path, metavar="FILE", help="the room's store")
    every.add_argument("--event", metavar="ID", help="default: the room's first event")
    every.add_argument("--json", action="store_true", help="print lines of JSON")

    listing = commands.add_parser("list", parents=[every], help="list who is in")
    listing.add_argument("--out", action="store_true", help="those who are out")
    listing.set_defaults(run=_list)
    taken = commands.add_parser("import", parents=[every], help="take in a CSV file, or none of it")
    taken.add_argument("file", type=Path, metavar="FILE", help="- is standard input")
    taken.set_defaults(run=_import)
    given = commands.add_parser("export", parents=[every], help="write all players as a CSV file")
    given.add_argument("to", type=Path, nargs="?", metavar="FILE", help="a new file")
    given.set_defaults(run=_export)
    add = commands.add_parser("add", parents=[every], help="enter a player")
    add.add_argument("name", metavar="NAME")
    add.add_argument("--id", metavar="ID", help="the club's")
    add.add_argument("--paid", action="store_true")
    add.add_argument("--table", metavar="TABLE")
    add.add_argument("--seat", type=int, metavar="N")
    add.set_defaults(run=_add)
    tables = commands.add_parser("tables", parents=[every], help="say which tables there are")
    tables.add_argument("tables", nargs="+", metavar="TABLE=SEATS")
    tables.set_defaults(run=_tables)
    apart = commands.add_parser(
        "apart", parents=[every], help="keep players at different tables, or list who is"
    )
    apart.add_argument("players", nargs="*", metavar="NAME", help="or an id; two or more")
    apart.add_argument("--together", action="store_true", help="they may share a table again")
    apart.set_defaults(run=_apart)
    draw = commands.add_parser("draw", parents=[every], help="draw seats for who has none")
    draw.add_argument("--seed", metavar="TEXT", help="default: a new one; it is kept and shown")
    draw.set_defaults(run=_draw)
    draws = commands.add_parser("draws", parents=[every], help="check the draws by their seeds")
    draws.set_defaults(run=_draws)
    return parser
