"""The command `cutcard doctor`."""

from __future__ import annotations

import argparse
import asyncio
import os
import stat
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from controller.contract.observations import nearest
from controller.files.toml_file import ConfigError
from controller.install.doctor.check import Check, Status, named
from controller.install.doctor.pages import USUAL_PORT, is_address
from controller.install.doctor.parts import CREDENTIALS, GUIDED, PARTS, Patient, examine
from controller.install.doctor.person import Person
from controller.install.doctor.system import System
from controller.install.tuning.run import how_to_tell, tune
from controller.process.arguments import ArgumentParser, duration
from controller.process.memory import keep_memory_private
from controller.table.config import TableConfig, load_table_config

USUAL_CONFIG = Path("/etc/cutcard/table.toml")
_WORDS: dict[Status, str] = {
    "ok": "ok",
    "warn": "WARN",
    "fail": "FAIL",
    "skipped": "skipped",
    "refused": "refused",
}


def main(argv: Sequence[str]) -> int:
    """Looks a table over.

    Returns 0 if nothing failed, 1 if something did, 2 for a mistake in the arguments or the
    table's settings. With --bench it shows how the antennas read instead (see `tune`).
    """
    parser = _parser()
    args = parser.parse_args(argv)
    if args.bench and (args.only or args.quick or args.room):
        parser.error("--bench goes alone: without --only, --quick and --room")
    if args.seconds is not None and not args.bench:
        parser.error("--for is for --bench")
    chosen = [name for name in args.only or PARTS if not (args.quick and name in GUIDED)]
    if not chosen:
        parser.error("--quick leaves nothing to check of --only")
    keep_memory_private()  # it sees the deck
    path = args.config or (USUAL_CONFIG if USUAL_CONFIG.exists() else None)
    hidden = _is_hidden(CREDENTIALS)
    try:
        config = None if path is None else _load(path, hidden)
    except ConfigError as error:
        hint = f"; only root may look into {CREDENTIALS}" if hidden else ""
        sys.stderr.write(f"cutcard doctor: {error}{hint * ('credential' in str(error))}\n")
        return 2
    if args.bench:
        if config is None:
            parser.error("--bench needs the table's settings: --config table.toml")
        return tune(config, how=how_to_tell(as_json=args.json), seconds=args.seconds)
    patient = Patient(config, System(), hidden, _person(), args.room)
    checks: list[Check] = []
    paper = _Paper(args.json)
    paper.begin(path, config)

    def tell(check: Check) -> None:
        told = named(check, args.config)
        checks.append(told)
        paper.tell(told)

    asyncio.run(examine(patient, chosen, tell, paper.head))
    paper.end(checks)
    return int(any(check.status == "fail" for check in checks))


class _Paper:
    """Says checks as they come; as JSON all at once, at the end."""

    def __init__(self, as_json: bool) -> None:
        self._as_json = as_json
        self._part = ""

    def begin(self, path: Path | None, config: TableConfig | None) -> None:
        if config is not None:
            self._say(f"Table {config.table.id}, from {path}.")
        else:
            self._say("There are no table settings yet: only the computer is checked.")

    def head(self, part: str) -> None:
        if part != self._part:
            self._part = part
            self._say(f"\n{part}: {PARTS[part]}")

    def tell(self, check: Check) -> None:
        self.head(check.part)
        self._say(f"  {_WORDS[check.status]:7}  {check.name}: {check.found}")
        if check.todo:
            self._say(f"           -> {check.todo}")

    def end(self, checks: Sequence[Check]) -> None:
        if self._as_json:
            text = msgspec.json.format(msgspec.json.encode(checks), indent=2)
            sys.stdout.write(text.decode() + "\n")
            return
        numbers = Counter(check.status for check in checks)
        self._say("\n" + ", ".join(f"{numbers[each]} {each}" for each in _WORDS if numbers[each]))

    def _say(self, line: str) -> None:
        if not self._as_json:
            sys.stdout.write(line + "\n")
            sys.stdout.flush()


def _load(path: Path, hidden: bool) -> TableConfig:
    """The settings as the service would have them, its secrets included where they can be seen."""
    environment: Mapping[str, str] = os.environ
    if "CREDENTIALS_DIRECTORY" not in environment and CREDENTIALS.is_dir() and not hidden:
        environment = {**environment, "CREDENTIALS_DIRECTORY": str(CREDENTIALS)}
    return load_table_config(path, environment)


def _is_hidden(folder: Path) -> bool:
    return folder.is_dir() and not os.access(folder, os.R_OK | os.X_OK)


def _person() -> Person | None:
    """Whoever answers: at a terminal, or with lines that are ready on standard input."""
    fd = sys.stdin.fileno()
    if os.isatty(fd):
        return Person(fd, at_terminal=True)
    kind = os.fstat(fd).st_mode
    if stat.S_ISFIFO(kind) or stat.S_ISREG(kind) or stat.S_ISSOCK(kind):
        return Person(fd, at_terminal=False)
    return None


def _parts(text: str) -> list[str]:
    names = [name for name in text.split(",") if name]
    for name in names:
        if name not in PARTS:
            close = nearest(name, list(PARTS))
            raise argparse.ArgumentTypeError(f"unknown part {name[:40]!r}{close}")
    if not names:
        raise argparse.ArgumentTypeError(f"there are {', '.join(PARTS)}")
    return names


def _address(text: str) -> str:
    if not is_address(text):
        raise argparse.ArgumentTypeError(
            f"{text[:40]!r} is not an address such as http://room:8080/"
        )
    return text


def _parser() -> ArgumentParser:
    width = max(map(len, PARTS))
    parser = ArgumentParser(
        prog="cutcard doctor",
        description="Checks a table and says what to fix. It changes nothing.",
        epilog="parts:\n"
        + "".join(f"  {name:{width}}  {about}\n" for name, about in PARTS.items()),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--config",
        type=Path,
        metavar="FILE",
        help=f"the table's TOML file (default: {USUAL_CONFIG} if it exists)",
    )
    parser.add_argument(
        "--json",
        action="store_true",
        help="print one JSON document: a list of checks; with --bench a line of JSON a second",
    )
    parser.add_argument(
        "--bench",
        action="store_true",
        help="for tuning a coil: what each antenna reads, live, until Ctrl-C; only between hands",
    )
    parser.add_argument(
        "--for",
        dest="seconds",
        type=duration,
        metavar="TIME",
        help="how long --bench runs: 30s, 10m (default: until Ctrl-C)",
    )
    parser.add_argument(
        "--only",
        type=_parts,
        metavar="PART,...",
        help="check only these parts, such as ports,readers",
    )
    parser.add_argument(
        "--room",
        type=_address,
        metavar="URL",
        help=f"the address of the room's pages (default: port {USUAL_PORT} "
        "of the broker's machine)",
    )
    parser.add_argument(
        "--quick", action="store_true", help="skip what needs somebody at the table"
    )
    return parser
