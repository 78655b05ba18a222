"""The command `cutcard pico`: firmware and wiring onto a Pico, without copying files by hand."""

from __future__ import annotations

import argparse
import asyncio
import sys
from argparse import RawDescriptionHelpFormatter
from collections.abc import Sequence
from pathlib import Path

import msgspec

from controller.contract.observations import nearest
from controller.files.toml_file import ConfigError
from controller.install.pico import build, copy, flash, stock
from controller.install.pico.boards import board
from controller.install.pico.coming_up import come_up, has
from controller.process.arguments import ArgumentParser
from firmware_bridge.flashing.chips import BY_BOARD, CHIPS
from firmware_bridge.flashing.drive import DriveError
from firmware_bridge.flashing.uf2 import Uf2Error

USUAL_CONFIGS = (Path("boards.toml"), Path("table.toml"))
WAIT_S = 60.0
DESCRIPTION = """\
Puts MicroPython, the firmware and the wiring of a board onto a Pico or Pico 2, as one UF2 file.
Boards A to E are those of docs/build.md, one-seat is that of docs/one-seat.md; a section [boards.A]
in table.toml, or in a file boards.toml of its own, says what is soldered differently.
"""
EPILOG = """\
Exit status: 0 done, 1 what may pass (no Pico came, or it does not say hello), 2 a mistake in what
was given; then nothing has been written.

examples:
  cutcard pico build                      both chips' firmware, from Debian's sources
  cutcard pico flash A                    onto the Pico in BOOTSEL mode
  cutcard pico flash A --micropython RPI_PICO-20250415-v1.25.0.uf2
  cutcard pico flash E --output E.uf2     only the file
  cutcard pico wiring E                   its wiring.py
"""


def main(argv: Sequence[str]) -> int:
    """Runs the command; returns its exit status."""
    args = _parser().parse_args(argv)
    try:
        status: int = args.run(args)
    except (ConfigError, flash.GivenError, Uf2Error) as error:
        return _fail(str(error), 2)
    except (DriveError, build.BuildError, copy.CopyError) as error:
        return _fail(str(error), 1)
    except OSError as error:
        return _fail(f"{error.filename or 'a file'}: {error.strerror}", 1)
    return status


def _parser() -> ArgumentParser:
    parser = ArgumentParser(
        prog="cutcard pico",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=RawDescriptionHelpFormatter,
    )
    doing = parser.add_subparsers(required=True, metavar="COMMAND")
    flashing = doing.add_parser("flash", help="write firmware and wiring onto a Pico")
    _add_board(flashing)
    flashing.add_argument("--board", choices=BY_BOARD, help="refuse another chip than this one's")
    flashing.add_argument(
        "--micropython", type=Path, metavar="FILE", help="a UF2 file of MicroPython 1.23 or newer"
    )
    flashing.add_argument("--drive", type=Path, metavar="FOLDER", help="where its drive is mounted")
    flashing.add_argument("--output", type=Path, metavar="FILE", help="only write the UF2 file")
    flashing.add_argument("--dry-run", action="store_true", help="check everything, write nothing")
    _add_port(flashing)
    flashing.add_argument("--json", action="store_true", help="print one JSON object at the end")
    flashing.set_defaults(run=_flash)
    wiring = doing.add_parser("wiring", help="print the wiring.py of a board")
    _add_board(wiring)
    wiring.set_defaults(run=_wiring)
    copying = doing.add_parser(
        "copy", help="copy the files with mpremote, if a drive can't be used"
    )
    _add_board(copying)
    copying.add_argument("--port", default="auto", metavar="PORT", help="default: the first Pico")
    copying.set_defaults(run=_copy)
    hello = doing.add_parser("hello", help="wait until a Pico says what it is")
    _add_port(hello)
    hello.set_defaults(run=_hello)
    building = doing.add_parser("build", help="build MicroPython with the firmware in it")
    building.add_argument(
        "chips",
        nargs="*",
        metavar="BOARD",
        help=f"{' or '.join(BY_BOARD)}; default: both",
    )
    building.add_argument("--output", type=Path, metavar="FOLDER", default=stock.cache())
    building.add_argument("--keep", type=Path, metavar="FOLDER", help="build there and leave it")
    building.set_defaults(run=_build)
    return parser


def _add_board(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "label", metavar="BOARD", help="A, B, C, D, E or one-seat, or one of your own"
    )
    parser.add_argument(
        "--config",
        type=Path,
        metavar="FILE",
        help="where [boards.A] is; default: boards.toml or table.toml, if there is one here",
    )


def _add_port(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--port", metavar="PORT", help="where it comes up; default: any new port")
    parser.add_argument(
        "--wait",
        type=float,
        default=WAIT_S,
        metavar="S",
        help="how many seconds to wait; default: %(default)g",
    )


def _config(given: Path | None) -> Path | None:
    if given is not None:
        return given
    return next((path for path in USUAL_CONFIGS if path.is_file()), None)


def _flash(args: argparse.Namespace) -> int:
    found = board(args.label, _config(args.config))
    status, told = flash.flash(found, args, _say)
    if args.json:
        sys.stdout.buffer.write(msgspec.json.encode(told) + b"\n")
        sys.stdout.flush()
    return status


def _wiring(args: argparse.Namespace) -> int:
    sys.stdout.write(board(args.label, _config(args.config)).wiring)
    return 0


def _copy(args: argparse.Namespace) -> int:
    copy.copy(board(args.label, _config(args.config)), args.port, _say)
    return 0


def _hello(args: argparse.Namespace) -> int:
    said = asyncio.run(come_up((), args.wait, port=args.port))
    if said is None:
        return _fail(f"no Pico said hello within {args.wait:g} s", 1)
    sys.stdout.write(f"{said.port}: {said.firmware}, {has(said)}, id {said.id}\n")
    return 0


def _build(args: argparse.Namespace) -> int:
    for name in args.chips:
        if name not in BY_BOARD:
            return _fail(f"there is no board {name!r}{nearest(name, BY_BOARD)}", 2)
    chips = [chip for chip in CHIPS if not args.chips or chip.board in args.chips]
    build.build(chips, args.output, _say, keep=args.keep)
    return 0


def _say(text: str) -> None:
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()


def _fail(text: str, status: int) -> int:
    sys.stderr.write(f"cutcard pico: {text}\n")
    return status
