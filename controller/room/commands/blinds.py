"""`cutcard blinds`: looks blind structures over and makes them to measure."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from controller.files.settings import config_dir
from controller.process.arguments import ArgumentParser
from controller.room.fitting import Breaks, fit
from controller.room.structure import (
    Entry,
    Structure,
    StructureError,
    falling_antes,
    find_structure,
    load_structure,
    named_structures,
    written,
)

_USER_MISTAKE = 2
_MINUTE_MS = 60_000

EPILOG = """\
examples:
  cutcard blinds list
  cutcard blinds show standard
  cutcard blinds fit --hours 4 --players 18 --stack 10000 --chips 25,100,500,1000 --breaks 90m/10m
  cutcard blinds fit --hours 3 --players 12 --from home-t1000 --out our-evening.toml
"""


def main(argv: Sequence[str]) -> int:
    """Run the command; returns the exit status: 0, or 2 for a mistake of the user's."""
    options = _parser().parse_args(argv)
    folder: Path = options.folder or config_dir() / "blinds"
    try:
        match options.act:
            case "list":
                _list(folder, as_json=options.json)
            case "show":
                _print(find_structure(options.name, folder), as_json=options.json)
            case _:
                _fit(options, folder)
    except StructureError as error:
        return _fail(str(error))
    except FileExistsError:
        return _fail(f"--out {options.out}: already exists; --force overwrites it")
    except BrokenPipeError:
        raise
    except OSError as error:
        return _fail(f"{error.filename}: {error.strerror}")
    return 0


def _fail(fault: str) -> int:
    sys.stderr.write(f"cutcard blinds: {fault}\n")
    return _USER_MISTAKE


def _list(folder: Path, *, as_json: bool) -> None:
    found = {name: load_structure(path) for name, path in named_structures(folder).items()}
    if as_json:
        _say(msgspec.json.encode(found).decode())
        return
    width = max((len(name) for name in found), default=0)
    for name, structure in found.items():
        hours = _hours(sum(entry.duration_ms for entry in structure.entries))
        _say(f"{name:{width}}  {hours:>5}  {structure.note or structure.name}")


def _fit(options: argparse.Namespace, folder: Path) -> None:
    start = options.stack
    if options.source is not None:
        source = find_structure(options.source, folder)
        start = (
            source
            if options.stack is None
            else msgspec.structs.replace(source, stack=options.stack)
        )
    if start is None:
        raise StructureError("fit needs --stack CHIPS, or --from NAME with a starting stack")
    made = fit(
        start,
        players=options.players,
        hours=options.hours,
        chips=options.chips,
        breaks=options.breaks,
        ante=options.ante,
        name=options.name,
    )
    if options.out is not None:
        with options.out.open("w" if options.force else "x", encoding="utf-8") as file:
            file.write(written(made))
    _print(made, as_json=options.json)


def _print(structure: Structure, *, as_json: bool) -> None:
    if as_json:
        _say(msgspec.json.encode(structure).decode())
        return
    for line in table(structure):
        _say(line)


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")


def table(structure: Structure) -> Iterable[str]:
    """A structure as lines for people."""
    yield structure.name
    if structure.stack is not None:
        chips = ", ".join(f"{value:,}" for value in structure.chips)
        yield f"starting stack {structure.stack:,}" + (f" in chips of {chips}" if chips else "")
    antes = any(entry.blinds and entry.blinds.ante for entry in structure.entries)
    yield f"{'':>3}  {'from':>5}  {'min':>4}  {'small':>9}  {'big':>9}" + (
        f"  {'ante':>9}" if antes else ""
    )
    begins_ms, level = 0, 0
    for entry in structure.entries:
        level += entry.blinds is not None
        yield _row(entry, level, begins_ms, antes=antes)
        begins_ms += entry.duration_ms
    yield f"{'':>3}  {_hours(begins_ms):>5}  end of the last level"
    for blinds in falling_antes(structure):
        yield f"note: at {blinds.small:,}/{blinds.big:,} the ante falls (against TDA24-RP11B)"


def _row(entry: Entry, level: int, begins_ms: int, *, antes: bool) -> str:
    minutes = f"{entry.duration_ms / _MINUTE_MS:g}"
    off = ", ".join(f"{value:,}" for value in entry.race_off)
    colours = f"  race off {off}" if off else ""
    if entry.blinds is None:
        return f"{'':>3}  {_hours(begins_ms):>5}  {minutes:>4}  {'break':>9}{colours}"
    blinds = entry.blinds
    ante = f"  {blinds.ante or '-':>9,}" if antes and blinds.ante else f"  {'-':>9}"
    return (
        f"{level:>3}  {_hours(begins_ms):>5}  {minutes:>4}  {blinds.small:>9,}  {blinds.big:>9,}"
        f"{ante if antes else ''}{colours}"
    )


def _hours(ms: int) -> str:
    minutes = round(ms / _MINUTE_MS)
    return f"{minutes // 60}:{minutes % 60:02}"


def _parser() -> ArgumentParser:
    parser = ArgumentParser(
        prog="cutcard blinds",
        description="Blind structures: the ones supplied, or one made to fit.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    acts = parser.add_subparsers(dest="act", required=True, metavar="list|show|fit")
    for name, said in (
        ("list", "list the ones supplied"),
        ("show", "print one as a table"),
        ("fit", "make one for a number of players, chips and hours"),
    ):
        act = acts.add_parser(name, help=said, description=said)
        act.add_argument("--folder", type=Path, metavar="DIR", help="folder of the structures")
        act.add_argument("--json", action="store_true", help="print JSON")
        if name == "show":
            act.add_argument("name", metavar="NAME", help="the name of one supplied, or a file")
        if name == "fit":
            _add_wishes(act)
    return parser


def _add_wishes(act: argparse.ArgumentParser) -> None:
    act.add_argument("--hours", type=_number, required=True, metavar="H", help="breaks included")
    act.add_argument("--players", type=_whole, required=True, metavar="N")
    act.add_argument("--stack", type=_whole, metavar="CHIPS", help="what each player starts with")
    act.add_argument(
        "--chips", type=_values, default=(), metavar="A,B,…", help="the chip values there are"
    )
    act.add_argument(
        "--breaks",
        type=_breaks,
        metavar="90m/10m",
        help="length of play between breaks, and of a break",
    )
    act.add_argument("--ante", action="store_true", help="big blind ante from level 4 on")
    act.add_argument("--from", dest="source", metavar="NAME", help="take the levels from this one")
    act.add_argument("--name", default="", help="what it is called")
    act.add_argument("--out", type=Path, metavar="FILE", help="write it here, for `cutcard room`")
    act.add_argument("--force", action="store_true", help="overwrite an existing file")


def _number(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0 < number <= 48:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of hours between 0 and 48")
    return number


def _whole(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and int(text[:13]) > 0 and len(text) <= 12):
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number above 0")
    return int(text)


def _values(text: str) -> tuple[int, ...]:
    return tuple(sorted({_whole(part.strip()) for part in text.split(",")}))


def _breaks(text: str) -> Breaks:
    found = re.fullmatch(r"([0-9]{1,4})m?/([0-9]{1,4})m?", text)
    if found is None or not int(found[1]) or not int(found[2]):
        raise argparse.ArgumentTypeError(f"{text!r} is not like 90m/10m")
    return Breaks(int(found[1]), int(found[2]))
