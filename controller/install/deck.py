"""The command `cutcard deck`: registers a table's decks, counts them and lists them."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from controller.contract.observations import nearest
from controller.contract.zones import seat_of
from controller.files.toml_file import ConfigError
from controller.install import confirming, deck_check, deck_enroll
from controller.install.attended import places
from controller.install.bench import BenchError
from controller.install.deck_files import CREDENTIALS, chosen, chosen_anew, look_at
from controller.process.arguments import ArgumentParser
from controller.process.memory import keep_memory_private
from controller.storage.database import DatabaseError
from controller.table.config import TableConfig, load_table_config

QUIET_S = 10.0


def main(argv: Sequence[str]) -> int:
    """Runs the command; returns 0, 1 for what isn't so or may pass (a deck that is not complete,
    an open hand), or 2 for a mistake in what was given."""
    args = _parser().parse_args(argv)
    keep_memory_private()
    try:
        config = load_table_config(args.config, _environment())
        status: int = args.run(config, args)
    except ConfigError as error:
        return _fail(str(error), 2)
    except (BenchError, DatabaseError) as error:
        return _fail(str(error), 1)
    except OSError as error:
        return _fail(f"{error.filename or 'a file'}: {error.strerror}", 1)
    return status


def _environment() -> Mapping[str, str]:
    """The service's view of the decks, for whoever may have it."""
    if os.access(CREDENTIALS, os.R_OK | os.X_OK):
        return {"CREDENTIALS_DIRECTORY": CREDENTIALS, **os.environ}
    return os.environ


def _enroll(config: TableConfig, args: argparse.Namespace) -> int:
    name, file = chosen_anew(config, args.name, args.file)
    zone = _zone(config, args.zone)
    voice = deck_enroll.JsonLines() if args.json else deck_enroll.Plain(zone)
    if args.no_hand:
        confirming.confirm(config)
    if args.list is not None:
        return asyncio.run(deck_enroll.enroll_list(config, name, file, args.list, voice=voice))
    return asyncio.run(
        deck_enroll.enroll(
            config,
            name,
            file,
            zone=zone,
            jokers=args.jokers,
            voice=voice,
            confirmed=args.no_hand,
        )
    )


def _check(config: TableConfig, args: argparse.Namespace) -> int:
    name, file = chosen(config, args.name)
    where = places(config, args.zone if args.zone is None else _zone(config, args.zone))
    quiet_s = None if args.seconds is not None or sys.stdin.isatty() else QUIET_S
    voice = deck_check.JsonLines() if args.json else deck_check.Plain()
    if args.no_hand:
        confirming.confirm(config)
    try:
        return asyncio.run(
            deck_check.check(
                config,
                name,
                file,
                where=where,
                seconds=args.seconds,
                quiet_s=quiet_s,
                voice=voice,
                confirmed=args.no_hand,
            )
        )
    finally:
        voice.clear()


def _list(config: TableConfig, args: argparse.Namespace) -> int:
    decks = [look_at(name, file) for name, file in config.decks.items()]
    if args.json:
        sys.stdout.writelines(msgspec.json.encode(deck).decode() + "\n" for deck in decks)
    else:
        for deck in decks:
            jokers = f" and {deck.jokers} joker{'s'[: deck.jokers != 1]}" if deck.jokers else ""
            cards = f"{deck.cards} card{'s'[: deck.cards != 1]}{jokers}"
            sys.stdout.write(f"{deck.name}: {cards}, {deck.file}\n")
            sys.stdout.writelines(f"  warning: {warning}\n" for warning in deck.warnings)
        if not decks:
            sys.stdout.write(f"no deck is set in {config.path}: [deck] file\n")
    return 0 if decks and all(deck.is_complete for deck in decks) else 1


def _zone(config: TableConfig, given: str | None) -> str:
    """The zone that is meant: the muck, if nothing else is said; never a seat's, where no card is
    named."""
    zones = sorted({zone for _, zone in places(config)})
    if not zones:
        raise ConfigError(f"{config.path}: cards are named at no seat, and there is no other zone")
    if given is not None and seat_of(given):
        raise ConfigError(f"{given[:40]}: no card is named at a seat; take another zone")
    if given is None:
        return next((zone for zone in ("muck", "stub", *zones) if zone in zones), zones[0])
    if given not in zones:
        raise ConfigError(
            f"{config.path}: there is no zone {given[:40]!r} here{nearest(given, zones)}"
        )
    return given


def _fail(text: str, status: int) -> int:
    sys.stderr.write(f"cutcard deck: {text}\n")
    return status


def _parser() -> ArgumentParser:
    parser = ArgumentParser(
        prog="cutcard deck",
        description="The decks of a table: which tag is which card. No card's tag is ever shown, "
        "and nothing that names cards runs while a hand is open or a card lies at a seat.",
    )
    commands = parser.add_subparsers(required=True, metavar="enroll|check|list")
    settings = ArgumentParser(add_help=False)
    settings.add_argument(
        "--config", type=Path, required=True, metavar="FILE", help="the table's TOML file"
    )
    settings.add_argument("--json", action="store_true", help="print a line of JSON for each step")

    naming = ArgumentParser(add_help=False)
    naming.add_argument(confirming.OPTION, action="store_true", help=confirming.HELP)
    enroll = commands.add_parser(
        "enroll", parents=[settings, naming], help="register a deck, card by card or from a list"
    )
    enroll.add_argument(
        "name", nargs="?", metavar="NAME", help="the deck; may be left out if there is only one"
    )
    enroll.add_argument("--zone", metavar="ZONE", help="the antenna to use (default: muck)")
    enroll.add_argument(
        "--jokers",
        type=int,
        choices=(0, 1, 2),
        default=2,
        help="how many the deck has (default: 2)",
    )
    enroll.add_argument(
        "--list",
        type=Path,
        metavar="FILE",
        help="from a prepared list instead of an antenna: TAG,CARD lines, "
        "or TOML as in a deck file",
    )
    enroll.add_argument(
        "--file", type=Path, metavar="FILE", help="write to this file, not the one in the settings"
    )
    enroll.set_defaults(run=_enroll)

    check = commands.add_parser(
        "check",
        parents=[settings, naming],
        help="count a deck: is it complete, with nothing else in it?",
    )
    check.add_argument(
        "name", nargs="?", metavar="NAME", help="the deck; may be left out if there is only one"
    )
    check.add_argument(
        "--zone", metavar="ZONE", help="at this antenna only (default: at all of them)"
    )
    check.add_argument(
        "--seconds",
        type=float,
        metavar="S",
        help="stop after this long (default: at Enter; without a terminal, "
        f"once nothing new has come for {QUIET_S:g} s)",
    )
    check.set_defaults(run=_check)

    listing = commands.add_parser(
        "list", parents=[settings], help="the decks, their files, and what is wrong with them"
    )
    listing.set_defaults(run=_list)
    return parser
