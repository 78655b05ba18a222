"""The command `cutcard pair`: finds the room, has its fingerprint compared, types the code."""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from controller.contract.observations import nearest
from controller.files.toml_file import ConfigError
from controller.install.pair.answers_file import Answers, read_answers
from controller.install.pair.finding import LOOK_S, rooms
from controller.install.pair.joining import Places, join, try_out
from controller.install.pair.meeting import (
    Address,
    Authority,
    MeetingError,
    RefusedError,
    address_of,
    authority_at,
    paired,
    reachable,
)
from controller.pairing.codes import typed
from controller.pairing.proof import in_rows
from controller.pairing.words import Granted
from controller.process.arguments import ArgumentParser

TRIES = 3
SERVICE = "cutcard-table.service"
_MISTAKE = 2


def main(argv: Sequence[str]) -> int:
    """Runs the command; returns 0, 1 where it may work another time, or 2 for a mistake in what was
    given."""
    args = _parser().parse_args(argv)
    places = Places(args.root)
    if args.root == Path("/") and os.geteuid() != 0:
        return _fail("it writes where only root may: sudo cutcard pair", _MISTAKE)
    if args.file is not None and args.address is not None:
        return _fail("either an address or --file", _MISTAKE)
    try:
        if not places.settings.exists():
            return _fail(
                f"{places.settings}: no such file; sudo cutcard setup table first", _MISTAKE
            )
        try_out(places)
        person = _Person(quiet=args.json)
        met = (
            _by_hand(args.address, args.look, person)
            if args.file is None
            else _by_file(read_answers(args.file), args.look)
        )
        if met is None:
            return 1
        host = join(places, *met)
        if args.file is not None:
            args.file.unlink()
    except (ConfigError, RefusedError) as error:
        return _fail(str(error), _MISTAKE)
    except MeetingError as error:
        return _fail(str(error), 1)
    except OSError as error:
        return _fail(f"{error.filename or places.settings}: {error.strerror}", 1)
    granted = met[2]
    restarted = args.root == Path("/") and _restart()
    if args.json:
        told = {"table": granted.table, "site": granted.site, "host": host, "port": granted.port}
        sys.stdout.write(json.dumps({**told, "restarted": restarted}) + "\n")
        return 0
    then = (
        "its service has started again"
        if restarted
        else f"to begin: sudo systemctl enable --now {SERVICE.removesuffix('.service')}"
    )
    sys.stdout.write(f"this is table {granted.table} of {host} now; {then}\n")
    return 0


Met = tuple[Address, Authority, Granted]


class _Person:
    """Who sits at the keys. `quiet`: standard output is for something else."""

    def __init__(self, *, quiet: bool) -> None:
        self._out = sys.stderr if quiet else sys.stdout

    def tell(self, text: str) -> None:
        self._out.write(f"{text}\n")

    def ask(self, text: str) -> str:
        """Raises RefusedError where nobody answers."""
        self._out.write(text)
        self._out.flush()
        answer = sys.stdin.readline()
        if not answer:
            raise RefusedError("nobody answers; for a table without a keyboard: --file")
        return answer.strip()


def _by_hand(given: str | None, look_s: float, person: _Person) -> Met | None:
    address = reachable(_chosen(look_s, person) if given is None else address_of(given))
    authority = authority_at(address)
    person.tell(f"\nThe room at {address} is known by this fingerprint:\n")
    for row in in_rows(authority.fingerprint):
        person.tell(f"    {row}")
    person.tell("\nThe room's page Tables shows one beside the code.")
    if person.ask("Are both the same? [y/N] ").lower() not in ("y", "yes"):
        person.tell("Not paired: another machine may be answering in the room's place.")
        return None
    return address, authority, _typed(address, authority, person)


def _typed(address: Address, authority: Authority, person: _Person) -> Granted:
    """After the last wrong code it raises RefusedError."""
    for _ in range(TRIES - 1):
        try:
            return paired(address, authority, _code(person))
        except RefusedError as error:
            person.tell(str(error))
    return paired(address, authority, _code(person))


def _code(person: _Person) -> str:
    """What somebody types. Raises RefusedError where it can be no code."""
    code = typed(person.ask("Code: "))
    if code is None:
        raise RefusedError("a code has two groups of four letters and digits")
    return code


def _chosen(look_s: float, person: _Person) -> Address:
    person.tell("Looking for rooms on this network …")
    found = [Address(each.host, each.port, each.address) for each in rooms(look_s)]
    if not found:
        return address_of(person.ask("None was found. The room's name or address: "))
    if len(found) == 1:
        return found[0]
    by_name = {str(each): each for each in found}
    for name in by_name:
        person.tell(f"  {name}")
    name = person.ask("Which one? ")
    if name not in by_name:
        raise RefusedError(f"there is no room {name[:60]!r}{nearest(name, by_name)}")
    return by_name[name]


def _by_file(answers: Answers, look_s: float) -> Met:
    address = reachable(answers.address or _only(look_s))
    authority = authority_at(address)
    if "".join(in_rows(authority.fingerprint)).replace(" ", "") != answers.fingerprint:
        raise RefusedError(f"{address} has another fingerprint than the file says")
    return address, authority, paired(address, authority, answers.code)


def _only(look_s: float) -> Address:
    found = [Address(each.host, each.port, each.address) for each in rooms(look_s)]
    if len(found) > 1:
        names = ", ".join(map(str, found))
        raise RefusedError(f"there are several rooms: give the address of one: {names}")
    if not found:
        raise MeetingError("no room was found on this network; give its address")
    return found[0]


def _restart() -> bool:
    """Starts the table's service again where it runs."""
    if shutil.which("systemctl") is None:
        return False
    ask = ("systemctl", "is-active", "--quiet", SERVICE)
    if subprocess.run(ask, check=False).returncode:
        return False
    return not subprocess.run(("systemctl", "restart", SERVICE), check=False).returncode


def _fail(text: str, status: int) -> int:
    sys.stderr.write(f"cutcard pair: {text}\n")
    return status


def _seconds(text: str) -> float:
    try:
        found = float(text)
    except ValueError:
        found = 0.0
    if not 0 < found <= 60:
        raise argparse.ArgumentTypeError(f"{text!r} is not a time of up to 60 seconds")
    return found


def _parser() -> ArgumentParser:
    parser = ArgumentParser(
        prog="cutcard pair",
        description="Joins this table to a room: the room's page Tables gives a code, which is "
        "typed here. The table then has its own login at the room's broker.",
    )
    more: Callable[..., object] = parser.add_argument
    more("address", nargs="?", metavar="ADDRESS", help="the room, where it isn't found by itself")
    more(
        "--file",
        type=Path,
        metavar="FILE",
        help="read code, fingerprint and address from it and ask nothing; deleted afterwards",
    )
    more(
        "--look",
        type=_seconds,
        default=LOOK_S,
        metavar="SECONDS",
        help="how long to look for rooms (default: %(default)s)",
    )
    more(
        "--root",
        type=Path,
        default=Path("/"),
        metavar="DIR",
        help="write below this folder, and restart nothing",
    )
    more("--json", action="store_true", help="print one line of JSON")
    return parser
