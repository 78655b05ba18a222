"""The command `cutcard setup`: a room or a table, from questions or from a file of answers."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import msgspec
from msgspec import structs

from controller.certificates.held import CertificateError
from controller.files.settings import config_dir
from controller.files.toml_file import ConfigError
from controller.install.init_ask import AnswersEndedError, GivenError, NotWrittenError, Questions
from controller.install.setup import health, room_plan, table_plan
from controller.install.setup.admin_pin import admin_pin
from controller.install.setup.answers_file import Answers, example, read_answers
from controller.install.setup.doing import Doer, NotDoneError
from controller.install.setup.machine_now import NotThereError, zones
from controller.install.setup.room_now import can_certify, room_authority, room_now
from controller.install.setup.room_questions import RoomAnswers, room_wanted
from controller.install.setup.services import ServicesError, Systemd
from controller.install.setup.steps import Plan, Step
from controller.install.setup.table_now import table_now
from controller.install.setup.table_plan import RenamedError
from controller.install.setup.table_questions import TableAnswers, table_wanted
from controller.people.pin_typed import PinError
from controller.process.arguments import ArgumentParser

_MISTAKES = (
    CertificateError,
    ConfigError,
    GivenError,
    NotThereError,
    PinError,
    RenamedError,
)
"""Of whoever gave the answers, or of a file."""


class _Run:
    """One run of the command: what it says, and whether it only looks."""

    def __init__(self, args: argparse.Namespace) -> None:
        self.args = args
        self.out = sys.stderr if args.json else sys.stdout
        self.systemd = Systemd(args.root)
        asker = Questions(self.say, sys.stdin.readline, defaults=args.answers is not None)
        self.ask = Answers(asker, args.answers)
        self.told: list[dict[str, str]] = []

    def say(self, words: str) -> None:
        self.out.write(words)
        self.out.flush()

    def tell(self, line: str = "") -> None:
        self.say(f"{line}\n")

    def step(self, state: str, step: Step) -> None:
        self.tell(f"  {state:7} {step.what}")
        self.told.append({"state": state, "what": step.what})

    def carry_out(self, plan: Plan, doer: Callable[[], Doer]) -> bool:
        """Does what is to be done, a line each; False where that is left for another time."""
        self.tell()
        if self.args.dry_run:
            for step in plan.steps:
                self.step("to do" if step.acts else "is so", step)
            return False
        if self.args.answers is None and not plan.is_done:
            for step in plan.steps:
                self.tell(f"  {'to do' if step.acts else 'is so':7} {step.what}")
            if not self.ask.asker.agree("Do it", default=True):
                raise NotWrittenError("nothing was changed")
        does = doer()
        for step in plan.steps:
            for act in step.acts:
                try:
                    does.do(act)
                except (NotDoneError, ServicesError) as error:
                    raise _LeftOffError(f"{step.what}: {error}") from None
                except OSError as error:
                    raise _LeftOffError(f"{step.what}: {_why(error)}") from None
            self.step("done" if step.acts else "is so", step)
        return True


class _LeftOffError(Exception):
    """Something could not be done; what came before it is done."""


def main(argv: Sequence[str]) -> int:
    """Runs the command; returns 0, 1 where something is not as it should be in the end, or 2 for
    a mistake in what was given."""
    args = _parser().parse_args(argv)
    if args.print_answers:
        sys.stdout.write(example(args.what))
        return 0
    if args.root == Path("/") and os.geteuid() != 0:
        return _fail(f"this needs root: sudo cutcard setup {args.what}", 2)
    try:
        return _room(_Run(args)) if args.what == "room" else _table(_Run(args))
    except _MISTAKES as error:
        return _fail(str(error), 2)
    except AnswersEndedError as error:
        return _fail(f"no answer to {str(error)!r}; --answers FILE asks nobody", 2)
    except NotWrittenError as error:
        return _fail(str(error), error.status)
    except _LeftOffError as error:
        return _fail(f"{error}; what is above is done, and the same command goes on from here", 1)
    except ServicesError as error:
        return _fail(str(error), 1)
    except OSError as error:
        return _fail(_why(error), 1)


def _room(run: _Run) -> int:
    args = run.args
    given = RoomAnswers() if args.answers is None else read_answers(args.answers, RoomAnswers)
    now = room_now(args.root, run.systemd)
    wanted = room_wanted(run.ask, given, now, zones=zones(), languages=_languages())
    plan = room_plan.room_plan(now, wanted)
    can_certify(args.root, plan)
    pin = ""
    if wanted.admin is not None and not args.dry_run:
        pin = admin_pin(wanted.admin, given.admin.pin_file, args.answers)
    is_done = run.carry_out(plan, lambda: Doer(args.root, run.systemd, pin))
    file = room_now(args.root, run.systemd).file if is_done else now.file
    wrong = ""
    if is_done and run.systemd.is_live:
        run.tell("  waiting until the room is well …")
        wrong = health.trouble(room_plan.asked_at(file))
    pages = room_plan.pages(file, wanted)
    run.tell()
    if wrong:
        run.tell(f"The room was started, but {wrong}: journalctl -u {room_plan.ROOM} -n 20")
    else:
        runs = is_done and run.systemd.is_live
        run.tell(f"The room {'is' if runs else 'will be'} at {pages[0]}")
        for page in pages[1:]:
            run.tell(f"  also {page}")
    authority = room_authority(args.root) if wanted.https else ""
    if authority:
        run.tell(f"Its authority, for phones to compare at /trust: {authority}")
    if pin and given.admin.pin_file is not None:
        words = f"{wanted.admin} has a PIN now: delete {given.admin.pin_file}"
        plan = structs.replace(plan, left=(words, *plan.left))
    _end(run, plan, {"pages": pages, "authority": authority, "trouble": wrong})
    return 1 if wrong else 0


def _table(run: _Run) -> int:
    args = run.args
    given = TableAnswers() if args.answers is None else read_answers(args.answers, TableAnswers)
    now = table_now(args.root, run.systemd)
    asks = args.answers is None and sys.stdin.isatty()
    wanted = table_wanted(
        run.ask,
        given,
        now,
        args.root / table_plan.SETTINGS.relative_to("/"),
        rulebooks=sorted(book.stem for book in (config_dir() / "rulebooks").glob("*.toml")),
        languages=_languages(),
        ports=args.ports,
        terminal=sys.stdin.fileno() if asks else None,
    )
    plan = table_plan.table_plan(now, wanted)
    run.carry_out(plan, lambda: Doer(args.root, run.systemd))
    run.tell()
    _end(run, plan)
    return 0


def _end(run: _Run, plan: Plan, more: Mapping[str, object] | None = None) -> None:
    """What is left for a person, and the report."""
    if plan.left:
        run.tell("Next:")
    for line in plan.left:
        run.tell(f"  {line}")
    if run.args.json:
        report = {"steps": run.told, "next": plan.left, **(more or {})}
        sys.stdout.write(msgspec.json.encode(report).decode() + "\n")


def _why(error: OSError) -> str:
    return f"{error.filename}: {error.strerror}" if error.filename else str(error)


def _languages() -> list[str]:
    return sorted(each.stem for each in (config_dir() / "languages").glob("*.toml"))


def _fail(text: str, status: int) -> int:
    sys.stderr.write(f"cutcard setup: {' '.join(text.split())}\n")
    return status


def _parser() -> ArgumentParser:
    parser = ArgumentParser(
        prog="cutcard setup",
        description="Makes this machine into a room or a table: asks what it has to know, says "
        "what it does, and starts it. It may be run again at any time: what is right already "
        "stays as it is.",
    )
    every = ArgumentParser(add_help=False)
    every.add_argument("--answers", type=Path, metavar="FILE", help="ask nobody: it is all in here")
    every.add_argument(
        "--print-answers", action="store_true", help="print such a file, with every default"
    )
    every.add_argument("--dry-run", action="store_true", help="say what would be done, do nothing")
    every.add_argument(
        "--root",
        type=Path,
        default=Path("/"),
        metavar="DIR",
        help="to try it: a folder that stands for a machine's /; nothing is started",
    )
    every.add_argument("--json", action="store_true", help="say what was done as JSON")
    commands = parser.add_subparsers(required=True, metavar="room|table", dest="what")
    for what, told in (("room", "the room's machine"), ("table", "a table's machine")):
        one = commands.add_parser(what, parents=[every], help=told, description=f"Sets up {told}.")
        if what == "table":
            one.add_argument(
                "--ports",
                action="append",
                metavar="GLOB",
                help="use only this port (default: all serial ports); may be repeated",
            )
    return parser
