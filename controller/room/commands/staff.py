"""The command `cutcard staff`: who may do what in the room.

It reads and writes the same file as the room, which may run meanwhile: what is changed counts at
once. Neither a PIN nor a hash is ever shown.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from controller.contract.observations import nearest
from controller.files.toml_file import ConfigError
from controller.people.pin_typed import PinError, typed
from controller.people.pins import is_name
from controller.people.staff import MOST_SECTION, ROLES, TABLE, Holds, Person, Role
from controller.people.staff_store import Done, StaffError, StaffStore, staff_file
from controller.process.arguments import ArgumentParser
from controller.room.commands.here import room_here, user

_RIGHTS = (
    "viewer looks; floor also decides at tables; director also runs the clock; "
    "admin does everything"
)


class _MistakeError(ValueError):
    """What was given can't be done; the text is one line."""


class _Staff:
    """The people that the command is about, what it writes of it, and how that is told."""

    def __init__(self, store: StaffStore, holds: Holds, tell: Callable[[Done], str]) -> None:
        self.store, self.holds, self.tell = store, holds, tell

    def did(self, what: str, about: str) -> None:
        """Who did it is the user of this machine."""
        here = "cutcard staff"
        self.store.did(Done(time.time(), user(), "admin", here, what, about, "ok"))


def run(argv: Sequence[str], tell: Callable[[Done], str]) -> int:
    """Runs the command; `tell` has the words for what was done. Returns 0, 1 for what may pass (a
    file that can't be written), or 2 for a mistake in what was given."""
    args = _parser().parse_args(argv)
    try:
        file, holds, keep_audit_s = _where(args)
    except ConfigError as error:
        return _fail(str(error), 2)
    try:
        store = StaffStore.open(file, keep_audit_s=keep_audit_s)
    except StaffError as error:
        return _fail(str(error), 1)
    if store.damaged:
        sys.stderr.write(f"cutcard staff: the file was damaged; it is now {store.damaged}\n")
    try:
        act: Callable[[_Staff, argparse.Namespace], None] = args.run
        act(_Staff(store, holds, tell), args)
    except (_MistakeError, PinError) as error:
        return _fail(str(error), 2)
    except StaffError as error:
        return _fail(str(error), 1)
    finally:
        store.close()
    return 0


def _where(args: argparse.Namespace) -> tuple[Path, Holds, float]:
    config = room_here(args.config, args.store)
    return staff_file(config.store), config.people.holds, config.people.keep_audit_s


def _add(staff: _Staff, args: argparse.Namespace) -> None:
    if not is_name(args.name):
        raise _MistakeError(f"{args.name[:40]!r} is not a valid name: up to 40 letters, no quotes")
    role, tables = _role(args.role), _tables(args.tables)
    if staff.store.person(args.name) is not None:
        raise _MistakeError(f"there is already a {args.name!r}; `cutcard staff pin` sets a PIN")
    staff.store.add(Person(args.name, role, typed(args.name), tables))
    staff.did("people add", f"{args.name}: {role}")
    _say(args, f"{args.name} signs in as {role}", name=args.name, role=role)


def _remove(staff: _Staff, args: argparse.Namespace) -> None:
    person = _known(staff, args.name)
    _possible(lambda: staff.store.remove(person.name))
    staff.did("people remove", person.name)
    _say(args, f"{person.name} can no longer sign in", name=person.name)


def _give_role(staff: _Staff, args: argparse.Namespace) -> None:
    person, role = _known(staff, args.name), _role(args.role)
    _possible(lambda: staff.store.set_role(person.name, role))
    staff.did("people role", f"{person.name}: {role}")
    _say(args, f"{person.name} is now {role}, and has to sign in again", name=args.name, role=role)


def _give_pin(staff: _Staff, args: argparse.Namespace) -> None:
    person = _known(staff, args.name)
    staff.store.set_pin(person.name, typed(person.name))
    staff.did("people pin", person.name)
    _say(args, f"{person.name} has a new PIN, and has to sign in again", name=person.name)


def _give_tables(staff: _Staff, args: argparse.Namespace) -> None:
    person, tables = _known(staff, args.name), _tables(args.tables)
    staff.store.set_tables(person.name, tables)
    staff.did("people tables", f"{person.name}: {' '.join(tables) or 'all'}")
    _say(args, f"{person.name}: {' '.join(tables) or 'all tables'}", name=args.name, tables=tables)


def _list(staff: _Staff, args: argparse.Namespace) -> None:
    signed_in = [each.person for each in staff.store.sessions(staff.holds, time.time())]
    people = staff.store.people()
    if args.json:
        for each in people:
            _line(
                {
                    "name": each.name,
                    "role": each.role,
                    "tables": each.tables,
                    "signed_in": signed_in.count(each.name),
                }
            )
        return
    width = max((len(each.name) for each in people), default=0)
    for each in people:
        there = f", signed in {signed_in.count(each.name)}×" if each.name in signed_in else ""
        section = f", tables {' '.join(each.tables)}" if each.tables else ""
        sys.stdout.write(f"{each.name:{width}}  {each.role}{section}{there}\n")
    if not people:
        sys.stdout.write("nobody signs in to this room; `cutcard staff add NAME --role admin`\n")


def _sessions(staff: _Staff, args: argparse.Namespace) -> None:
    if args.end is not None:
        person = _known(staff, args.end)
        ended = staff.store.sign_out_all(person.name)
        staff.did("people sign-out", person.name)
        _say(args, f"{person.name}: {ended} ended", name=person.name, ended=ended)
        return
    for each in staff.store.sessions(staff.holds, time.time()):
        if args.json:
            _line(
                {
                    "person": each.person,
                    "since": each.since,
                    "used": each.used,
                    "address": each.address,
                }
            )
        else:
            since, used = _when(each.since), _when(each.used)
            sys.stdout.write(f"{each.person}  since {since}, used {used}, {each.address}\n")


def _audit(staff: _Staff, args: argparse.Namespace) -> None:
    for each in reversed(staff.store.audit(args.last, args.person)):
        if args.json:
            _line(msgspec.structs.asdict(each))
        else:
            sys.stdout.write(f"{_when(each.at)}  {staff.tell(each)}\n")


def _known(staff: _Staff, name: str) -> Person:
    try:
        return staff.store.known(name)
    except StaffError as error:
        raise _MistakeError(str(error)) from None


def _possible(act: Callable[[], None]) -> None:
    try:
        act()
    except StaffError as error:
        raise _MistakeError(str(error)) from None


def _role(given: str) -> Role:
    for role in ROLES:
        if given == role:
            return role
    hint = nearest(given, ROLES) or f"; there are {', '.join(ROLES)}"
    raise _MistakeError(f"there is no role {given[:40]!r}{hint}")


def _tables(given: Sequence[str]) -> tuple[str, ...]:
    if len(given) > MOST_SECTION:
        raise _MistakeError(f"more than {MOST_SECTION} tables")
    for each in given:
        try:
            msgspec.convert(each, TABLE)
        except msgspec.ValidationError:
            raise _MistakeError(f"{each[:40]!r} is not the name of a table") from None
    return tuple(given)


def _when(at: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(at))


def _say(args: argparse.Namespace, line: str, **fields: object) -> None:
    if args.json:
        _line({"done": True, **fields})
    else:
        sys.stdout.write(f"{line}\n")


def _line(fields: object) -> None:
    sys.stdout.write(msgspec.json.encode(fields).decode() + "\n")


def _fail(text: str, status: int) -> int:
    sys.stderr.write(f"cutcard staff: {text}\n")
    return status


def _parser() -> ArgumentParser:
    parser = ArgumentParser(
        prog="cutcard staff",
        description=f"Who may do what in the room: {_RIGHTS}. Changes take effect "
        "at once, whether the room is running or not. No PIN is ever "
        "shown.",
    )
    commands = parser.add_subparsers(
        required=True, metavar="add|list|remove|role|pin|tables|sessions|audit"
    )
    every = ArgumentParser(add_help=False)
    every.add_argument("--config", type=Path, metavar="FILE", help="the room's settings")
    every.add_argument(
        "--store", type=Path, metavar="FILE", help="the room's store; the people are kept beside it"
    )
    every.add_argument("--json", action="store_true", help="print lines of JSON")
    one = ArgumentParser(add_help=False)
    one.add_argument("name", metavar="NAME")

    add = commands.add_parser("add", parents=[one, every], help="add a person, with a PIN")
    add.add_argument("--role", required=True, help=", ".join(ROLES))
    add.add_argument("--tables", nargs="+", default=(), metavar="TABLE", help="their section")
    add.set_defaults(run=_add)
    listing = commands.add_parser("list", parents=[every], help="list who signs in, and as what")
    listing.set_defaults(run=_list)
    remove = commands.add_parser("remove", parents=[one, every], help="remove a person, at once")
    remove.set_defaults(run=_remove)
    role = commands.add_parser("role", parents=[one, every], help="change someone's role")
    role.add_argument("role", metavar="ROLE", help=", ".join(ROLES))
    role.set_defaults(run=_give_role)
    pin = commands.add_parser("pin", parents=[one, every], help="set a new PIN")
    pin.set_defaults(run=_give_pin)
    tables = commands.add_parser("tables", parents=[one, every], help="change someone's section")
    tables.add_argument("tables", nargs="*", metavar="TABLE", help="none: all tables")
    tables.set_defaults(run=_give_tables)
    sessions = commands.add_parser("sessions", parents=[every], help="list who is signed in")
    sessions.add_argument("--end", metavar="NAME", help="sign this person out everywhere")
    sessions.set_defaults(run=_sessions)
    audit = commands.add_parser("audit", parents=[every], help="list who did what")
    audit.add_argument("--person", metavar="NAME", help="only this person's")
    audit.add_argument("--last", type=_count, default=200, metavar="N", help="default: 200")
    audit.set_defaults(run=_audit)
    return parser


def _count(text: str) -> int:
    if not text.isdecimal() or not 0 < int(text) <= 1_000_000:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of lines")
    return int(text)
