"""The command `cutcard floor`: who from the floor signs in at a table's screen by PIN.

The file holds a hash of each PIN, and neither a PIN nor a hash is ever shown. It is its owner's
alone, and written whole or not at all.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from controller.contract.observations import nearest
from controller.files.toml_file import ConfigError
from controller.files.whole_file import write_whole
from controller.install.deck_files import CREDENTIALS
from controller.people.pin_typed import PinError, typed
from controller.people.pins import is_name
from controller.process.arguments import ArgumentParser
from controller.table.config import TableConfig, load_table_config
from controller.table.deck_file import is_exposed
from controller.table.floor import FLOOR_CREDENTIAL, MOST_PEOPLE, read_people

_HEAD = "# Who signs in as floor at this table: name and hash of the PIN. `cutcard floor add`.\n"


def main(argv: Sequence[str]) -> int:
    """Runs the command; returns 0, 1 for what may pass (a file that can't be written), or 2 for
    a mistake in what was given."""
    args = _parser().parse_args(argv)
    try:
        config = load_table_config(args.config, _environment())
        file = _file(config)
        status: int = args.run(config, file, args)
    except (ConfigError, PinError) as error:
        return _fail(str(error), 2)
    except OSError as error:
        return _fail(f"{error.filename or 'a file'}: {error.strerror}", 1)
    return status


def _environment() -> Mapping[str, str]:
    if os.access(CREDENTIALS, os.R_OK | os.X_OK):
        return {"CREDENTIALS_DIRECTORY": CREDENTIALS, **os.environ}
    return os.environ


def _file(config: TableConfig) -> Path:
    """Where the people of this table are kept, or will be."""
    if config.floor is not None:
        return config.floor
    if config.credentials is None:
        raise ConfigError(
            f"{config.path}: [floor] file: it is not set; with sudo it is {CREDENTIALS}"
        )
    return config.credentials / FLOOR_CREDENTIAL


def _people(file: Path) -> dict[str, str]:
    return read_people(file) if file.exists() else {}


def _add(config: TableConfig, file: Path, args: argparse.Namespace) -> int:
    if not is_name(args.name):
        raise ConfigError(f"{args.name[:40]!r} is not a valid name: up to 40 letters, no quotes")
    people = _people(file)
    if args.name not in people and len(people) >= MOST_PEOPLE:
        raise ConfigError(f"{file}: it already has {MOST_PEOPLE} people")
    is_new = args.name not in people
    _write(file, {**people, args.name: typed(args.name)})
    _say(config, f"{args.name} {'can sign in' if is_new else 'has a new PIN'}: {file}")
    return 0


def _remove(config: TableConfig, file: Path, args: argparse.Namespace) -> int:
    people = _people(file)
    if args.name not in people:
        raise ConfigError(f"{file}: nobody called {args.name[:40]!r}{nearest(args.name, people)}")
    del people[args.name]
    _write(file, people)
    _say(config, f"{args.name} can no longer sign in: {file}")
    return 0


def _list(config: TableConfig, file: Path, args: argparse.Namespace) -> int:
    people, badges = _people(file), sorted(config.badges.values())
    if args.json:
        named = [("pin", name) for name in people] + [("badge", name) for name in badges]
        lines = [msgspec.json.encode({"name": name, "by": by}).decode() for by, name in named]
    else:
        lines = [f"{name}: PIN" for name in people] + [f"{name}: badge" for name in badges]
        lines = lines or ["nobody signs in as floor at this table"]
        if is_exposed(file):
            sys.stderr.write(f"cutcard floor: warning: others can read it; chmod 600 {file}\n")
    sys.stdout.writelines(f"{line}\n" for line in lines)
    return 0


def _write(file: Path, people: Mapping[str, str]) -> None:
    write_whole(file, _HEAD + "".join(f'"{name}" = "{kept}"\n' for name, kept in people.items()))


def _say(config: TableConfig, line: str) -> None:
    sys.stdout.write(f"{line}\n")
    if config.socket.exists():
        sys.stdout.write("it takes effect when the table's service is restarted\n")


def _fail(text: str, status: int) -> int:
    sys.stderr.write(f"cutcard floor: {text}\n")
    return status


def _parser() -> ArgumentParser:
    parser = ArgumentParser(
        prog="cutcard floor",
        description="Who signs in as floor at the dealer's screen by PIN, and "
        "rules there even without a network. No PIN is ever shown.",
    )
    commands = parser.add_subparsers(required=True, metavar="add|remove|list")
    settings = ArgumentParser(add_help=False)
    settings.add_argument(
        "--config", type=Path, required=True, metavar="FILE", help="the table's TOML file"
    )
    add = commands.add_parser("add", parents=[settings], help="add a person, or set a new PIN")
    add.add_argument("name", metavar="NAME")
    add.set_defaults(run=_add)
    remove = commands.add_parser("remove", parents=[settings], help="stop a person signing in")
    remove.add_argument("name", metavar="NAME")
    remove.set_defaults(run=_remove)
    listing = commands.add_parser("list", parents=[settings], help="list who signs in, and how")
    listing.add_argument("--json", action="store_true", help="print a line of JSON for each")
    listing.set_defaults(run=_list)
    return parser
